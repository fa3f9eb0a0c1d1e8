include(${CMAKE_CURRENT_LIST_DIR}/failure.cmake)
