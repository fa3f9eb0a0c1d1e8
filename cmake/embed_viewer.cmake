# Writes the file INPUT as a C array of bytes to OUTPUT; run by `cmake -P`.
file(READ ${INPUT} bytes HEX)
if(bytes STREQUAL "")
    message(FATAL_ERROR "${INPUT} is empty")
endif()
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REPEAT "[0-9a-fx,]" 100 line) # twenty bytes to a line
string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "/* Made by cmake/embed_viewer.cmake from the page that web/build.sh bundles. */
#include \"report/viewer_html.h\"

const unsigned char fnd_viewer_html[] = {
${bytes}
};
const size_t fnd_viewer_html_size = ${size};
")
