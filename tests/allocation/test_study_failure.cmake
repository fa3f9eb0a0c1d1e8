include(${CMAKE_CURRENT_LIST_DIR}/failure.cmake)
target_link_options(${target} PRIVATE -Wl,--wrap=fsync)
