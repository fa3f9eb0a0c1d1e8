# The library that the test loads, and faulty ones.
add_dependencies(${target} plugin_hover)
