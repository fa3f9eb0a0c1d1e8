# Builds the replay page and the page of studies from web/ and embeds them in fender_io, as the bytes that
# src/report/viewer_html.h and src/study/page_html.h declare.
if(FENDER_VIEWER_HTML)
    set(viewer_html ${FENDER_VIEWER_HTML})
    get_filename_component(study_html ${FENDER_VIEWER_HTML} DIRECTORY)
    string(APPEND study_html "/study.html")
    if(NOT EXISTS ${study_html}) # where the page comes from the sources, unbundled, the other one does, too
        get_filename_component(study_html ${FENDER_VIEWER_HTML} DIRECTORY)
        string(APPEND study_html "/study/index.html")
    endif()
    if(NOT EXISTS ${study_html})
        message(FATAL_ERROR "the page of `fender study report` is missing; expected it as study.html beside ${FENDER_VIEWER_HTML}. "
                            "web/build.sh makes both")
    endif()
else()
    find_program(NODE_PROGRAM NAMES node nodejs)
    find_program(NPM_PROGRAM npm)
    mark_as_advanced(NODE_PROGRAM NPM_PROGRAM)
    if(NOT NODE_PROGRAM OR NOT NPM_PROGRAM)
        message(FATAL_ERROR "node and npm are missing; they build the page of `fender report`. Run scripts/install_dependencies, "
                            "or: apt-get install nodejs npm; or give a built page: -DFENDER_VIEWER_HTML=FILE")
    endif()
    set(viewer_html ${PROJECT_BINARY_DIR}/web/viewer.html)
    set(study_html ${PROJECT_BINARY_DIR}/web/study.html)
    file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
    file(GLOB viewer_settings CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.json ${PROJECT_SOURCE_DIR}/web/*.mjs
         ${PROJECT_SOURCE_DIR}/web/install.sh)
    add_custom_command(
        OUTPUT ${viewer_html} ${study_html}
        COMMAND sh ${PROJECT_SOURCE_DIR}/web/build.sh ${PROJECT_BINARY_DIR}/web
        DEPENDS ${PROJECT_SOURCE_DIR}/web/build.sh ${viewer_sources} ${viewer_settings}
        COMMENT "Bundling the pages of fender report and fender study"
        VERBATIM)
endif()

# embed_page(FILE NAME HEADER): the file as bytes called NAME.
function(embed_page file name header)
    set(source ${PROJECT_BINARY_DIR}/generated/${name}.c)
    add_custom_command(
        OUTPUT ${source}
        COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${source} -DNAME=${name} -DHEADER=${header} -P
                ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake
        DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake
        COMMENT "Embedding ${name}"
        VERBATIM)
    target_sources(fender_io_objects PRIVATE ${source})
endfunction()
embed_page(${viewer_html} fnd_viewer_html report/viewer_html.h)
embed_page(${study_html} fnd_study_page_html study/page_html.h)
