# Writes the file INPUT as a C array of bytes NAME to OUTPUT, with NAME_size; HEADER declares both. Run by `cmake -P`.
file(READ ${INPUT} bytes HEX)
if(bytes STREQUAL "")
    message(FATAL_ERROR "${INPUT} is empty")
endif()
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REPEAT "[0-9a-fx,]" 100 line) # twenty bytes to a line
string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "/* Made by cmake/embed_viewer.cmake from a page that web/build.sh bundles. */
#include \"${HEADER}\"

const unsigned char ${NAME}[] = {
${bytes}
};
const size_t ${NAME}_size = ${size};
")
