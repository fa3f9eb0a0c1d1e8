/* Filling of fender_error, and the texts of statuses. */
#include "base/error.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

const char *fender_version(void)
{
    return TEXT(FENDER_VERSION_MAJOR) "." TEXT(FENDER_VERSION_MINOR) "." TEXT(FENDER_VERSION_PATCH);
}

const char *fender_status_text(fender_status status)
{
    switch (status) {
#define STATUS_CASE(number, name, text) \
    case FENDER_STATUS_##name: return text;
        FENDER_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

/* printf and strtod follow LC_NUMERIC of the host: whatever stands between the digits becomes a point. */
static void print_number(char *text, size_t size, int digits, double value)
{
    snprintf(text, size, "%.*g", digits, value);
    for (char *c = text; *c; c++)
        if (*c == ',') *c = '.';
}

fnd_number_text fnd_number(double value)
{
    static const int digits[] = {6, 15, 17};
    fnd_number_text number;
    for (size_t i = 0; i < sizeof digits / sizeof digits[0]; i++) {
        char local[32];
        snprintf(local, sizeof local, "%.*g", digits[i], value);
        print_number(number.text, sizeof number.text, digits[i], value);
        if (strtod(local, NULL) == value) break;
    }
    return number;
}

static void copy_text(char *to, size_t size, const char *from) { snprintf(to, size, "%s", from ? from : ""); }

fender_status fnd_fail(fender_error *error, fender_status status, const char *path, const char *message,
                       const char *found, const char *expected, const char *suggestion)
{
    assert(status != FENDER_STATUS_OK);
    if (!error) return status;
    if (error->count > 0 && error->status != FENDER_STATUS_OK) {
        error->count++;
        return status;
    }
    memset(error, 0, sizeof *error);
    error->status = status;
    error->count = 1;
    copy_text(error->path, sizeof error->path, path);
    copy_text(error->message, sizeof error->message, message ? message : fender_status_text(status));
    copy_text(error->found, sizeof error->found, found);
    copy_text(error->expected, sizeof error->expected, expected);
    copy_text(error->suggestion, sizeof error->suggestion, suggestion);
    return status;
}

fender_status fnd_fail_memory(fender_error *error, const char *what)
{
    assert(what);
    char message[128];
    snprintf(message, sizeof message, "not enough memory for %s", what);
    return fnd_fail(error, FENDER_STATUS_MEMORY, "", message, "", "", "free memory, or make the problem smaller");
}

void fnd_error_prefix(fender_error *error, const char *prefix)
{
    assert(prefix);
    if (!error) return;
    char joined[sizeof error->path];
    int n = snprintf(joined, sizeof joined, "%s%s%s", prefix, error->path[0] ? "." : "", error->path);
    if (n >= 0) memcpy(error->path, joined, sizeof joined);
}
