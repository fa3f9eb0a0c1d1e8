# The jobs of integrations/trick, with test_jobs.c in the place of Trick.
target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/integrations/trick/src/fender_trick.c
                                 ${PROJECT_SOURCE_DIR}/integrations/trick/src/fender_trick_jobs.c)
target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/integrations/trick/include
                                             ${PROJECT_SOURCE_DIR}/tests/trick/stub)
