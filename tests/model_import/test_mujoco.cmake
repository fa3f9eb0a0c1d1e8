# MuJoCo as an oracle, where Debian's libmujoco-dev is installed; else the test says that it was skipped.
find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
mark_as_advanced(MUJOCO_INCLUDE_DIR MUJOCO_LIBRARY)
if(MUJOCO_INCLUDE_DIR AND MUJOCO_LIBRARY AND FENDER_WITH_EXPAT)
    target_compile_definitions(${target} PRIVATE WITH_MUJOCO)
    target_include_directories(${target} SYSTEM PRIVATE ${MUJOCO_INCLUDE_DIR})
    target_link_libraries(${target} PRIVATE ${MUJOCO_LIBRARY})
endif()
