# What turns many faults in memory into a stop, at a price too small to matter (docs/testing.md): guards on the stack, calls of
# the C library that know the sizes of their buffers, addresses that are chosen anew for each run, tables of addresses that
# cannot be written. An option that a compiler or linker does not know is left out. No option changes a result.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

foreach(flag -fstack-protector-strong -fstack-clash-protection)
    string(MAKE_C_IDENTIFIER "fender_has${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
        target_compile_options(fender_flags INTERFACE ${flag})
    endif()
endforeach()
target_compile_options(fender_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3) # a C library that knows no 3 takes it for 2
foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
    string(MAKE_C_IDENTIFIER "fender_has${flag}" known)
    check_linker_flag(C ${flag} ${known})
    if(${known})
        target_link_options(fender_flags INTERFACE ${flag})
    endif()
endforeach()
check_pie_supported(LANGUAGES C) # sources are compiled position independent; this links programs so

# Guards on the stack cost the core 2.3 % of its instructions; it reads no files, and its arrays have fixed sizes that the
# sanitizers watch in the tests. Its layers outside the step keep them.
function(fender_spare_core)
    fender_layer_sources(sources ${ARGN})
    set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS -fno-stack-protector)
endfunction()
