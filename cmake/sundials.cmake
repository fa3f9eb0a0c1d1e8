# SUNDIALS CVODE (-DFENDER_WITH_SUNDIALS=ON), for the integrators cvode_adams and cvode_bdf and as an oracle of the tests:
# ${sundials_libraries}, and the target fender_sundials for what calls it; serial vectors and dense matrices. Found where FENDER_SUNDIALS_ROOT says, where scripts/fetch_sundials puts it, or installed.
set(FENDER_SUNDIALS_ROOT "" CACHE PATH "Prefix of SUNDIALS; empty: build/sundials/usr of scripts/fetch_sundials, or installed")
set(sundials_places ${FENDER_SUNDIALS_ROOT} ${PROJECT_SOURCE_DIR}/build/sundials/usr)
find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h HINTS ${sundials_places} PATH_SUFFIXES include)
set(sundials_libraries "")
foreach(part cvode sunlinsoldense sunmatrixdense sunnonlinsolfixedpoint nvecserial) # in the order of the link
    find_library(SUNDIALS_${part}_LIBRARY NAMES libsundials_${part}.a sundials_${part} HINTS ${sundials_places}
                 PATH_SUFFIXES lib lib/${CMAKE_LIBRARY_ARCHITECTURE})
    mark_as_advanced(SUNDIALS_${part}_LIBRARY)
    if(NOT SUNDIALS_${part}_LIBRARY)
        set(sundials_missing ${part})
    endif()
    list(APPEND sundials_libraries ${SUNDIALS_${part}_LIBRARY})
endforeach()
mark_as_advanced(SUNDIALS_INCLUDE_DIR)
if(NOT SUNDIALS_INCLUDE_DIR OR sundials_missing)
    message(FATAL_ERROR "SUNDIALS is missing. Run scripts/fetch_sundials, install it, or build without: "
                        "-DFENDER_WITH_SUNDIALS=OFF")
endif()
add_library(fender_sundials INTERFACE)
target_include_directories(fender_sundials SYSTEM INTERFACE ${SUNDIALS_INCLUDE_DIR})
target_link_libraries(fender_sundials INTERFACE ${sundials_libraries} -lm)
