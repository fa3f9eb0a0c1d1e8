/* Diagnostics that are counted, not printed: errors, and warnings by kind. */
#include "unshown.h"

#include <string.h>

enum { SHOWN = 20 }; /* errors, and warnings of whatever kind, that are printed */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* A quotation mark, not an apostrophe within a word. */
static bool is_quote(const char *text, const char *at)
{
    return *at == '\'' && !(at > text && is_letter(at[-1]) && is_letter(at[1]));
}

/* The message without its names and numbers: "joint '..' is rigid here". A word at its start is no name. */
static void kind_of(const char *message, char kind[FND_APP_KIND_SIZE])
{
    const char *const text = message, *after = message[0] == '\'' ? strchr(message + 1, '\'') : NULL;
    size_t length = after ? (size_t)(after + 1 - message) : 0;
    if (length + 4 > FND_APP_KIND_SIZE) length = 0;
    memcpy(kind, message, length);
    message += length;
    bool quoted = false, number = false;
    for (; *message && length + 3 < FND_APP_KIND_SIZE; message++) {
        const bool digit = *message >= '0' && *message <= '9';
        const bool quote = is_quote(text, message);
        if (quote) quoted = !quoted;
        else if (quoted) continue;
        else if (number && (digit || *message == '.')) continue;
        number = digit;
        if (digit || (quoted && quote)) {
            memcpy(kind + length, digit ? ".." : "'..", digit ? 2 : 3);
            length += digit ? 2 : 3;
        } else kind[length++] = *message;
    }
    kind[length < FND_APP_KIND_SIZE ? length : FND_APP_KIND_SIZE - 1] = '\0';
}

static bool count_warning(fnd_app_unshown *u, const fender_diagnostic *diagnostic)
{
    char kind[FND_APP_KIND_SIZE];
    int at = 0;
    kind_of(diagnostic->message, kind);
    while (at < u->kind_count && strcmp(u->kinds[at].text, kind) != 0) at++;
    const bool fresh = at == u->kind_count && at < FND_APP_KINDS;
    if (fresh) memcpy(u->kinds[u->kind_count++].text, kind, sizeof kind);
    if (++u->warnings <= SHOWN || fresh) return true;
    u->warnings_unshown++;
    if (at < u->kind_count) u->kinds[at].unshown++;
    return false;
}

bool fnd_app_unshown_count(fnd_app_unshown *unshown, const fender_diagnostic *diagnostic)
{
    if (diagnostic->severity != FENDER_SEVERITY_ERROR) return count_warning(unshown, diagnostic);
    if (++unshown->errors <= SHOWN) return true;
    unshown->errors_unshown++;
    return false;
}

static void tell_number(fnd_app_stream *to, int number, const char *one, const char *many)
{
    if (number > 0)
        fnd_app_print(to, "\n%d more %s not shown; --json prints all\n", number, fnd_app_plural(number, one, many));
}

void fnd_app_unshown_tell(fnd_app_unshown *unshown, fnd_app_stream *to)
{
    tell_number(to, unshown->warnings_unshown, "warning is", "warnings are");
    for (int i = 0; i < unshown->kind_count; i++) {
        if (unshown->kinds[i].unshown == 0) continue;
        fnd_app_print(to, "  %d like: ", unshown->kinds[i].unshown);
        fnd_app_put_clean(to, unshown->kinds[i].text);
        fnd_app_put(to, "\n");
        unshown->kinds[i].unshown = 0;
    }
    tell_number(to, unshown->errors_unshown, "error is", "errors are");
    unshown->warnings_unshown = unshown->errors_unshown = 0;
}
