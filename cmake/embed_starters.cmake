# Writes the scenarios named in FILES (joined by |) as the table fnd_app_starters to OUTPUT; run by `cmake -P`.
string(REPLACE "|" ";" files "${FILES}")
set(arrays "")
set(rows "")
foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} bytes HEX)
    string(LENGTH "${bytes}" digits)
    math(EXPR size "${digits} / 2")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REPEAT "[0-9a-fx,]" 100 line) # twenty bytes to a line
    string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
    string(APPEND arrays "static const unsigned char ${name}_text[] = {\n${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", (const char *)${name}_text, ${size}},\n")
endforeach()
file(WRITE ${OUTPUT} "/* Made by cmake/embed_starters.cmake from samples/scenarios. */
#include \"starters.h\"

${arrays}
const fnd_app_starter fnd_app_starters[] = {
${rows}    {NULL, NULL, 0},
};
")
