/* A locale of our own, made by localedef in the current folder, whose decimal point is a comma. */
#ifndef FND_TEST_COMMA_LOCALE_H
#define FND_TEST_COMMA_LOCALE_H

#include "check.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

/* Sets LC_NUMERIC; the caller sets it back to "C". */
static inline void set_comma_locale(void)
{
    char text[32];
    FILE *charmap = fopen("charmap", "w"), *source = fopen("source", "w");
    assert_true(charmap && source);
    fputs("<code_set_name> ANSI_X3.4-1968\n<comment_char> %\n<escape_char> /\nCHARMAP\n", charmap);
    for (int i = 0; i < 128; i++) fprintf(charmap, "<U%04X> /x%02x\n", (unsigned)i, (unsigned)i);
    fputs("END CHARMAP\n", charmap);
    fputs("comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\n"
          "END LC_NUMERIC\n",
          source);
    fclose(charmap);
    fclose(source);
    /* localedef warns of the categories that are left out, and says so in its exit code. */
    if (system("localedef -c -i ./source -f ./charmap ./comma >/dev/null 2>&1") == -1) fail();
    assert_int_equal(setenv("LOCPATH", ".", 1), 0);
    assert_non_null(setlocale(LC_NUMERIC, "comma"));
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
}

#endif
