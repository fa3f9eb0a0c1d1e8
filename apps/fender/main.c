/* Entry of the program: hands over to fender_program_main. */
#include "program.h"

int main(int argc, char **argv)
{
    fender_env env = fender_env_default();
    return fender_program_main(argc, argv, &env);
}
