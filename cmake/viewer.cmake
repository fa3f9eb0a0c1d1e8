# Builds the replay page from web/ and embeds it in fender_io as the bytes that src/report/viewer_html.h declares.
if(FENDER_VIEWER_HTML)
    set(viewer_html ${FENDER_VIEWER_HTML})
else()
    find_program(NODE_PROGRAM NAMES node nodejs)
    find_program(NPM_PROGRAM npm)
    mark_as_advanced(NODE_PROGRAM NPM_PROGRAM)
    if(NOT NODE_PROGRAM OR NOT NPM_PROGRAM)
        message(FATAL_ERROR "node and npm are missing; they build the page of `fender report`. Run scripts/install_dependencies, "
                            "or: apt-get install nodejs npm; or give a built page: -DFENDER_VIEWER_HTML=FILE")
    endif()
    set(viewer_html ${PROJECT_BINARY_DIR}/web/viewer.html)
    file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
    file(GLOB viewer_settings CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.json ${PROJECT_SOURCE_DIR}/web/*.mjs
         ${PROJECT_SOURCE_DIR}/web/install.sh)
    add_custom_command(
        OUTPUT ${viewer_html}
        COMMAND sh ${PROJECT_SOURCE_DIR}/web/build.sh ${PROJECT_BINARY_DIR}/web
        DEPENDS ${PROJECT_SOURCE_DIR}/web/build.sh ${viewer_sources} ${viewer_settings}
        COMMENT "Bundling the viewer of fender report"
        VERBATIM)
endif()

set(viewer_source ${PROJECT_BINARY_DIR}/generated/viewer_html.c)
add_custom_command(
    OUTPUT ${viewer_source}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${viewer_html} -DOUTPUT=${viewer_source} -P
            ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake
    DEPENDS ${viewer_html} ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake
    COMMENT "Embedding the viewer"
    VERBATIM)
target_sources(fender_io_objects PRIVATE ${viewer_source})
