/* JSON put into the page, its long lists of numbers packed: text of a million triangles takes a browser seconds. */
#include "report/page.h"

#include "support/number.h"

#include <math.h>
#include <string.h>

/* Shorter lists stay as they are: they can be read. */
enum { LEAST_PACKED_NUMBERS = 3000 };

/* ---- base64 of little-endian words */

typedef struct packer {
    fnd_buffer *to;
    unsigned char bytes[3];
    int count;
} packer;

static void flush_bytes(packer *p)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (p->count == 0) return;
    for (int i = p->count; i < 3; i++) p->bytes[i] = 0;
    const unsigned group = (unsigned)p->bytes[0] << 16 | (unsigned)p->bytes[1] << 8 | p->bytes[2];
    const char text[4] = {digits[group >> 18], digits[group >> 12 & 63], p->count > 1 ? digits[group >> 6 & 63] : '=',
                          p->count > 2 ? digits[group & 63] : '='};
    fnd_buffer_append(p->to, text, sizeof text);
    p->count = 0;
}

static void pack_word(packer *p, uint32_t word)
{
    for (int i = 0; i < 4; i++) {
        p->bytes[p->count++] = (unsigned char)(word >> 8 * i & 255);
        if (p->count == 3) flush_bytes(p);
    }
}

static uint32_t bits_of(double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

/* ---- lists */

/* Reads one number of a list and the comma behind it, at the closing bracket nothing more. False at its end. */
static bool next_number(const char **at, const char *end, double *value)
{
    size_t used;
    if (*at >= end || **at == ']' || !fnd_number_parse(*at, (size_t)(end - *at), value, &used)) return false;
    *at += used;
    if (*at < end && **at == ',') (*at)++;
    return true;
}

typedef struct list {
    bool points; /* else indices */
    size_t count;
    double low[3], high[3];  /* of each third number */
    const char *first, *end; /* behind the opening bracket, at the closing one; end NULL: nothing to pack */
} list;

/* The list of the key that begins at `at`. */
static list list_at(const char *at, const char *end)
{
    static const char points[] = "\"vertices\":[", indices[] = "\"triangles\":[";
    list l = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    double value;
    const size_t left = (size_t)(end - at);
    l.points = left > sizeof points && memcmp(at, points, sizeof points - 1) == 0;
    if (!l.points && !(left > sizeof indices && memcmp(at, indices, sizeof indices - 1) == 0)) return l;
    l.first = at + (l.points ? sizeof points : sizeof indices) - 1;
    for (at = l.first; next_number(&at, end, &value); l.count++) {
        const size_t k = l.count % 3;
        if (value < l.low[k]) l.low[k] = value;
        if (value > l.high[k]) l.high[k] = value;
    }
    const bool whole = at < end && *at == ']' && l.count >= LEAST_PACKED_NUMBERS && l.count % 3 == 0;
    const bool index = l.low[0] >= 0 && l.low[1] >= 0 && l.low[2] >= 0;
    if (whole && (l.points || index)) l.end = at;
    return l;
}

/* Points less the middle of their box: single precision then tells apart what lies apart. */
static void pack_points(fnd_buffer *page, const list *l)
{
    const char *at = l->first;
    double origin[3], value;
    for (int k = 0; k < 3; k++) origin[k] = 0.5 * l->low[k] + 0.5 * l->high[k];
    fnd_buffer_append_text(page, "{\"origin\":[");
    for (int k = 0; k < 3; k++) {
        if (k > 0) fnd_buffer_append_char(page, ',');
        fnd_buffer_append_number(page, origin[k]);
    }
    fnd_buffer_append_text(page, "],\"float32\":\"");
    packer p = {.to = page};
    for (size_t i = 0; next_number(&at, l->end, &value); i++) pack_word(&p, bits_of(value - origin[i % 3]));
    flush_bytes(&p);
    fnd_buffer_append_text(page, "\"}");
}

static void pack_indices(fnd_buffer *page, const list *l)
{
    const char *at = l->first;
    double value;
    packer p = {.to = page};
    fnd_buffer_append_text(page, "{\"uint32\":\"");
    while (next_number(&at, l->end, &value)) pack_word(&p, (uint32_t)value);
    flush_bytes(&p);
    fnd_buffer_append_text(page, "\"}");
}

void fnd_page_append_json(fnd_buffer *page, const char *text, size_t length)
{
    const char *at = text, *end = text + length, *kept = text;
    while (at < end) {
        if (*at == '<') {
            fnd_buffer_append(page, kept, (size_t)(at - kept));
            fnd_buffer_append_text(page, "\\u003c");
            kept = ++at;
            continue;
        }
        /* Inside a string a quote has a backslash before it: a key and its bracket are found outside alone. */
        const list l = *at == '"' ? list_at(at, end) : (list){.count = 0};
        if (!l.end) {
            at++;
            continue;
        }
        fnd_buffer_append(page, kept, (size_t)(l.first - 1 - kept));
        if (l.points) pack_points(page, &l);
        else pack_indices(page, &l);
        kept = at = l.end + 1;
    }
    fnd_buffer_append(page, kept, (size_t)(end - kept));
}
