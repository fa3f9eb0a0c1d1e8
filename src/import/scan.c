/* Words and numbers of a text. */
#include "import/scan.h"

#include <limits.h>
#include <string.h>

#include "text/number.h"

fnd_scan fnd_scan_open(const void *text, size_t length)
{
    const char *at = text;
    if (length >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) return (fnd_scan){at + 3, at + length, 1};
    return (fnd_scan){at, at + length, 1};
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/* Behind a break; the end of the text is a place of its last line. */
static void count_line(fnd_scan *scan) { scan->line += scan->line < INT_MAX && scan->at < scan->end; }

size_t fnd_scan_word_here(fnd_scan *scan, const char **start)
{
    while (scan->at < scan->end && is_space(*scan->at)) scan->at++;
    *start = scan->at;
    while (scan->at < scan->end && *scan->at != '\n' && !is_space(*scan->at)) scan->at++;
    return (size_t)(scan->at - *start);
}

size_t fnd_scan_word(fnd_scan *scan, const char **start)
{
    for (;;) {
        size_t length = fnd_scan_word_here(scan, start);
        if (length > 0 || scan->at >= scan->end) return length;
        scan->at++;
        count_line(scan);
    }
}

void fnd_scan_next_line(fnd_scan *scan)
{
    const char *stop = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    scan->at = stop ? stop + 1 : scan->end;
    if (stop) count_line(scan);
}

bool fnd_scan_is(const char *text, size_t length, const char *word)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != word[i] || !c) return false;
    }
    return word[length] == 0;
}

bool fnd_scan_integer(const char *text, size_t length, int64_t *value)
{
    size_t i = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0, first;
    bool negative = i > 0 && text[0] == '-';
    int64_t base = 10, sum = 0;
    if (length > i + 2 && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')) {
        base = 16;
        i += 2;
    }
    for (first = i; i < length; i++) {
        char c = text[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : 16;
        if (digit >= base || sum > INT64_C(1) << 53) return false;
        sum = base * sum + digit;
    }
    *value = negative ? -sum : sum;
    return i > first && sum <= INT64_C(1) << 53;
}

bool fnd_scan_numbers(fnd_import *import, fnd_scan *scan, bool here, int count, double *values, const char *what,
                      const char *expected)
{
    for (int i = 0; i < count; i++) {
        const char *text;
        size_t used = 0, length = here ? fnd_scan_word_here(scan, &text) : fnd_scan_word(scan, &text);
        if (length > 0 && fnd_number_parse(text, length, &values[i], &used) && used == length) continue;
        fnd_words found = length > 0 || scan->at < scan->end ? fnd_words_of(text, length)
                                                             : fnd_words_make("the end of the file");
        return fnd_import_refuse(import, scan->line, fnd_words_make("'%s' is no finite %s", found.text, what).text,
                                 found.text, expected, "is the file whole? export it anew");
    }
    return true;
}

bool fnd_scan_count(fnd_import *import, fnd_scan *scan, const char *what, size_t bytes, size_t *count)
{
    const char *text;
    size_t length = fnd_scan_word_here(scan, &text);
    int64_t value;
    fnd_words found = fnd_words_of(text, length);
    if (!fnd_scan_integer(text, length, &value) || value < 0)
        return fnd_import_refuse(import, scan->line, fnd_words_make("'%s' is no count of %s", found.text, what).text,
                                 found.text, "a whole number, 0 or more", "is the file whole?");
    size_t room = (size_t)(scan->end - scan->at) / bytes + 1;
    if ((uint64_t)value > room)
        return fnd_import_refuse(
            import, scan->line, fnd_words_make("the file is too short for %s %s", found.text, what).text, found.text,
            fnd_words_make("at most %zu in the %zu bytes that follow", room, (size_t)(scan->end - scan->at)).text,
            "is the file whole?");
    *count = (size_t)value;
    return true;
}
