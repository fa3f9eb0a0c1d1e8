add_dependencies(${target} fender_fmu)
