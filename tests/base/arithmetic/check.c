/* Calls fender_check_arithmetic under a mode of the processor and prints what it says.
 * usage: check [FTZ | DAZ | up | down | zero]; ends with 1 when the check fails */
#include <fender/base.h>

#include <fenv.h>
#include <stdio.h>
#include <string.h>

static int set_mode(const char *mode)
{
    if (strcmp(mode, "up") == 0) return fesetround(FE_UPWARD);
    if (strcmp(mode, "down") == 0) return fesetround(FE_DOWNWARD);
    if (strcmp(mode, "zero") == 0) return fesetround(FE_TOWARDZERO);
#if defined(__x86_64__)
    unsigned control;
    __asm__ volatile("stmxcsr %0" : "=m"(control));
    if (strcmp(mode, "FTZ") == 0) control |= 0x8000;
    else if (strcmp(mode, "DAZ") == 0) control |= 0x40;
    else return 1;
    __asm__ volatile("ldmxcsr %0" : : "m"(control));
    return 0;
#else
    return 1;
#endif
}

int main(int argc, char **argv)
{
    fender_error error = {0};
    if (argc > 1 && set_mode(argv[1]) != 0) return 77;
    fender_status status = fender_check_arithmetic(&error);
    fesetround(FE_TONEAREST);
    if (status != fender_check_arithmetic(NULL) && argc == 1) return 2;
    if (status == FENDER_STATUS_OK) return error.count != 0 ? 2 : 0;
    printf("%s: found %s, expected %s; %s\n", error.message, error.found, error.expected, error.suggestion);
    return status == FENDER_STATUS_ARITHMETIC && error.count > 0 ? 1 : 2;
}
