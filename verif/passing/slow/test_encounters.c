/* A thousand encounters. With two numbers: those from the first on, so many. */
#include "check.h"
#include "encounters.h"
#include <stdio.h>
#include <stdlib.h>

static void all_seen(void **state)
{
    (void)state;
    int touches;
    assert_int_equal(encounters_missed(0, 1000, &touches), 0);
    assert_true(touches > 300);
}

int main(int count, char **words)
{
    if (count == 3) {
        int touches, lost = encounters_missed(strtoull(words[1], NULL, 10), atoi(words[2]), &touches);
        printf("%s encounters, %d touched, %d not seen\n", words[2], touches, lost);
        return lost != 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
