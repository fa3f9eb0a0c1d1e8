/* "Did you mean": the known name nearest to a misspelt one. */
#include "text/nearest.h"

#include <limits.h>
#include <string.h>

#define LONGEST 63

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int replacement(char a, char b) { return a == b ? 0 : lower(a) == lower(b) ? 1 : 2; }

static int least(int a, int b) { return a < b ? a : b; }

/* Edit distance with exchange of neighbours, three rows kept. */
int fnd_nearest_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int rows[3][LONGEST + 1];
    if (a_length == b_length && memcmp(a, b, a_length) == 0) return 0;
    if (a_length > LONGEST || b_length > LONGEST) return INT_MAX;
    for (size_t j = 0; j <= b_length; j++) rows[0][j] = (int)(2 * j);
    for (size_t i = 1; i <= a_length; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = (int)(2 * i);
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = above[j - 1] + replacement(a[i - 1], b[j - 1]);
            row[j] = least(row[j], least(above[j], row[j - 1]) + 2);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 2);
        }
    }
    return rows[a_length % 3][b_length];
}

int fnd_nearest_limit(size_t length) { return length < 2 ? 1 : length < 5 ? 2 : length < 8 ? 4 : 6; }

fnd_nearest fnd_nearest_begin(const char *word, size_t length)
{
    return (fnd_nearest){word, NULL, length, fnd_nearest_limit(length) + 2};
}

bool fnd_nearest_offer(fnd_nearest *search, const char *name)
{
    size_t length = strlen(name);
    int limit = fnd_nearest_limit(search->length);
    int distance = fnd_nearest_distance(search->word, search->length, name, length);
    bool begins = search->length >= 3 && length > search->length && memcmp(name, search->word, search->length) == 0;
    if (distance > limit && begins) distance = limit + 1;
    if (distance > limit + 1 || (distance == limit + 1 && !begins) || distance >= search->distance) return false;
    search->distance = distance;
    search->best = name;
    return true;
}

const char *fnd_nearest_of(const char *word, size_t length, const char *const *names, size_t count)
{
    fnd_nearest search = fnd_nearest_begin(word, length);
    for (size_t i = 0; i < count; i++) fnd_nearest_offer(&search, names[i]);
    return search.best;
}
