# An FMU needs the C library alone, and no variable of the environment; the program tells what it wrote and what is wrong.
. "$FENDER_SOURCE_DIR/tests/cli/expect.sh"
