/* Shared by the stages of an import: errors, words and numbers of a text, growing arrays; units, measures. */
#include "import/import.h"

#include "support/io_error.h"
#include "support/number.h"
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

fnd_words fnd_words_make(const char *format, ...)
{
    fnd_words words;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words.text, sizeof words.text, format, arguments);
    va_end(arguments);
    return words;
}

fnd_words fnd_words_of(const char *text, size_t length)
{
    fnd_words words;
    if (length == 0) return fnd_words_make("nothing");
    fnd_io_excerpt(words.text, 64, text, length);
    return words;
}

fnd_words fnd_words_number(double value)
{
    fnd_words words;
    fnd_number_format(value, words.text, sizeof words.text);
    return words;
}

static bool refuse(fnd_import *import, fender_status status, int line, const char *message, const char *found,
                   const char *expected, const char *suggestion)
{
    FND_IO_FAIL(import->error, .status = status, .source = import->name, .line = line, .column = line > 0 ? 1 : 0,
                .message = message, .found = found, .expected = expected, .suggestion = suggestion);
    return false;
}

bool fnd_import_refuse(fnd_import *import, int line, const char *message, const char *found, const char *expected,
                       const char *suggestion)
{
    return refuse(import, FENDER_STATUS_PARSE, line, message, found, expected, suggestion);
}

bool fnd_import_refuse_value(fnd_import *import, const char *message, const char *found, const char *expected,
                             const char *suggestion)
{
    return refuse(import, FENDER_STATUS_VALUE, 0, message, found, expected, suggestion);
}

void *fnd_import_allocate(fnd_import *import, size_t count, size_t size)
{
    const fender_allocator *a = &import->env.allocator;
    void *memory = count > SIZE_MAX / size
                       ? NULL
                       : a->allocate(a->ctx, count > 0 ? count * size : size, _Alignof(max_align_t));
    if (!memory) fnd_io_fail_memory(import->error, "a mesh");
    return memory;
}

void fnd_import_release(fnd_import *import, void *memory, size_t count, size_t size)
{
    const fender_allocator *a = &import->env.allocator;
    if (memory) a->release(a->ctx, memory, count > 0 ? count * size : size);
}

/* ---- Words ---- */

fnd_word_scan fnd_scan_open(const void *text, size_t length)
{
    const char *at = text;
    if (length >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) return (fnd_word_scan){at + 3, at + length, 1};
    return (fnd_word_scan){at, at + length, 1};
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/* Behind a break; the end of the text is a place of its last line. */
static void count_line(fnd_word_scan *scan) { scan->line += scan->line < INT_MAX && scan->at < scan->end; }

size_t fnd_scan_word_here(fnd_word_scan *scan, const char **start)
{
    while (scan->at < scan->end && is_space(*scan->at)) scan->at++;
    *start = scan->at;
    while (scan->at < scan->end && *scan->at != '\n' && !is_space(*scan->at)) scan->at++;
    return (size_t)(scan->at - *start);
}

size_t fnd_scan_word(fnd_word_scan *scan, const char **start)
{
    assert(scan->at <= scan->end);
    for (;;) {
        size_t length = fnd_scan_word_here(scan, start);
        if (length > 0 || scan->at >= scan->end) return length;
        scan->at++;
        count_line(scan);
    }
}

void fnd_scan_next_line(fnd_word_scan *scan)
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

bool fnd_scan_numbers(fnd_import *import, fnd_word_scan *scan, bool here, int count, double *values, const char *what,
                      const char *expected)
{
    assert(count > 0 && values);
    for (int i = 0; i < count; i++) {
        const char *text;
        size_t used = 0, length = here ? fnd_scan_word_here(scan, &text) : fnd_scan_word(scan, &text);
        if (length > 0 && fnd_number_parse(text, length, &values[i], &used) && used == length) continue;
        fnd_words found = length > 0 || scan->at < scan->end ? fnd_words_of(text, length)
                                                             : fnd_words_make("the end of the file");
        return fnd_import_refuse(import, scan->line, fnd_words_make("'%s' is not a finite %s", found.text, what).text,
                                 found.text, expected, "check whether the file is complete, or export it again");
    }
    return true;
}

bool fnd_scan_count(fnd_import *import, fnd_word_scan *scan, const char *what, size_t bytes, size_t *count)
{
    assert(bytes > 0);
    const char *text;
    size_t length = fnd_scan_word_here(scan, &text);
    int64_t value;
    fnd_words found = fnd_words_of(text, length);
    if (!fnd_scan_integer(text, length, &value) || value < 0)
        return fnd_import_refuse(import, scan->line, fnd_words_make("'%s' is not a count of %s", found.text, what).text,
                                 found.text, "a whole number, 0 or more", "check whether the file is complete");
    size_t room = (size_t)(scan->end - scan->at) / bytes + 1;
    if ((uint64_t)value > room)
        return fnd_import_refuse(
            import, scan->line, fnd_words_make("the file is too short for %s %s", found.text, what).text, found.text,
            fnd_words_make("at most %zu in the %zu bytes that follow", room, (size_t)(scan->end - scan->at)).text,
            "check whether the file is complete");
    *count = (size_t)value;
    return true;
}

/* ---- Growing arrays ---- */

#define COUNT_LIMIT ((size_t)INT32_MAX)

static bool resize(fnd_import *import, void **array, size_t *capacity, size_t count, size_t wanted, size_t size)
{
    void *memory = fnd_import_allocate(import, wanted, size);
    if (!memory) return false;
    if (*array) {
        memcpy(memory, *array, count * size);
        fnd_import_release(import, *array, *capacity, size);
    }
    *array = memory;
    *capacity = wanted;
    return true;
}

static bool grow(fnd_import *import, void **array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity) return true;
    if (count >= COUNT_LIMIT)
        return fnd_import_refuse_value(import, "the file has more vertices or corners than can be counted",
                                       "2147483647 and more", "fewer than 2147483647", "divide the file");
    return resize(import, array, capacity, count, count < 256 ? 512 : 2 * count, size);
}

bool fnd_import_reserve(fnd_import *import, size_t vertices, size_t corners, size_t polygons)
{
    void *v = import->vertices, *c = import->corners, *s = import->sizes;
    bool good = vertices <= import->vertex_capacity ||
                resize(import, &v, &import->vertex_capacity, import->vertex_count, vertices, sizeof(fender_vec3));
    import->vertices = v;
    good = good && (corners <= import->corner_capacity ||
                    resize(import, &c, &import->corner_capacity, import->corner_count, corners, sizeof(int32_t)));
    import->corners = c;
    good = good && (polygons <= import->size_capacity ||
                    resize(import, &s, &import->size_capacity, import->size_count, polygons, sizeof(int32_t)));
    import->sizes = s;
    return good;
}

bool fnd_import_vertex(fnd_import *import, double x, double y, double z)
{
    void *array = import->vertices;
    if (!grow(import, &array, &import->vertex_capacity, import->vertex_count, sizeof(fender_vec3))) return false;
    import->vertices = array;
    import->vertices[import->vertex_count++] = fender_vec3_make(x, y, z);
    return true;
}

bool fnd_import_corner(fnd_import *import, int32_t vertex)
{
    void *array = import->corners;
    if (!grow(import, &array, &import->corner_capacity, import->corner_count, sizeof(int32_t))) return false;
    import->corners = array;
    import->corners[import->corner_count++] = vertex;
    return true;
}

bool fnd_import_polygon(fnd_import *import, size_t size)
{
    void *array = import->sizes;
    if (!grow(import, &array, &import->size_capacity, import->size_count, sizeof(int32_t))) return false;
    import->sizes = array;
    import->sizes[import->size_count++] = (int32_t)size;
    return true;
}

/* ---- Units ---- */

#define LARGEST 1e100 /* m; what geometries take */

typedef struct range {
    double lower[3], upper[3];
} range;

static void include(range *r, int axis, double value)
{
    if (value < r->lower[axis]) r->lower[axis] = value;
    if (value > r->upper[axis]) r->upper[axis] = value;
}

static bool too_large(fnd_import *import, double value)
{
    fnd_words found = fnd_words_number(value);
    return fnd_import_refuse_value(import, fnd_words_make("a coordinate becomes %s m", found.text).text, found.text,
                                   "finite lengths up to 1e100 m", "check unit and scale");
}

/* Along an axis on which all lies farther from the origin than 16 times its size: a multiple of a power of two near the
 * middle, so that the difference of every coordinate and it is exact. */
static double origin_of(const range *r, int axis, double size)
{
    double middle = 0.5 * r->lower[axis] + 0.5 * r->upper[axis];
    if (!(fabs(middle) > 16 * size) || !(size > 0)) return 0;
    int exponent;
    (void)frexp(size, &exponent);
    double grain = ldexp(1, exponent);
    /* no finer than the coordinates themselves */
    if (grain < fabs(middle) * DBL_EPSILON) (void)frexp(fabs(middle) * DBL_EPSILON, &exponent);
    grain = ldexp(1, exponent);
    return floor(middle / grain + 0.5) * grain;
}

static void choose_origin(fnd_import *import, const range *r)
{
    fender_vec3 *o = &import->report.origin;
    *o = fender_vec3_make(0, 0, 0);
    if (import->def->keep_origin) return;
    double size = 0;
    for (int i = 0; i < 3; i++) {
        double side = r->upper[i] - r->lower[i];
        size += side * side;
    }
    size = sqrt(size);
    *o = fender_vec3_make(origin_of(r, 0, size), origin_of(r, 1, size), origin_of(r, 2, size));
}

static bool scale_grid(fnd_import *import, const double factor[3])
{
    range r = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    size_t count = (size_t)import->columns * (size_t)import->rows;
    if (!(factor[0] > 0) || !(factor[1] > 0))
        return fnd_import_refuse_value(import, "a grid cannot be mirrored along x or y",
                                       fnd_words_number(factor[0] > 0 ? factor[1] : factor[0]).text,
                                       "factors of x and y above 0", "rotate the shape instead");
    import->lower = (fender_vec2){import->lower.x * factor[0], import->lower.y * factor[1]};
    import->spacing = (fender_vec2){import->spacing.x * factor[0], import->spacing.y * factor[1]};
    double upper_x = import->lower.x + (import->columns - 1) * import->spacing.x;
    double upper_y = import->lower.y + (import->rows - 1) * import->spacing.y;
    if (!(fabs(import->lower.x) <= LARGEST) || !(fabs(upper_x) <= LARGEST)) return too_large(import, upper_x);
    if (!(fabs(import->lower.y) <= LARGEST) || !(fabs(upper_y) <= LARGEST)) return too_large(import, upper_y);
    for (size_t i = 0; i < count; i++) {
        if (isnan(import->heights[i])) continue;
        double height = import->heights[i] * factor[2] + 0.0;
        if (!(fabs(height) <= LARGEST)) return too_large(import, height);
        import->heights[i] = height;
        include(&r, 2, height);
    }
    if (!(r.lower[2] <= r.upper[2]))
        return fnd_import_refuse_value(import, "the grid has no heights", "no data everywhere", "heights",
                                       "check the no-data value");
    include(&r, 0, import->lower.x);
    include(&r, 0, upper_x);
    include(&r, 1, import->lower.y);
    include(&r, 1, upper_y);
    choose_origin(import, &r);
    import->lower.x -= import->report.origin.x;
    import->lower.y -= import->report.origin.y;
    for (size_t i = 0; i < count; i++) import->heights[i] -= import->report.origin.z;
    return true;
}

bool fnd_import_scale(fnd_import *import)
{
    const fender_mesh_import *def = import->def;
    const double factor[3] = {def->unit * def->scale.x, def->unit * def->scale.y, def->unit * def->scale.z};
    for (int i = 0; i < 3; i++)
        if (!(fabs(factor[i]) > 0) || !isfinite(factor[i]))
            return fnd_import_refuse_value(import, "a factor of the scale is not a number other than 0",
                                           fnd_words_number(factor[i]).text, "finite factors other than 0", "");
    if (import->heights) return scale_grid(import, factor);
    range r = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < import->vertex_count; i++) {
        fender_vec3 *p = &import->vertices[i];
        /* 0 added: -0 and 0 are the same corner */
        double v[3] = {p->x * factor[0] + 0.0, p->y * factor[1] + 0.0, p->z * factor[2] + 0.0};
        for (int k = 0; k < 3; k++) {
            if (!(fabs(v[k]) <= LARGEST)) return too_large(import, v[k]);
            include(&r, k, v[k]);
        }
        *p = fender_vec3_make(v[0], v[1], v[2]);
    }
    if (import->vertex_count == 0) return true;
    choose_origin(import, &r);
    for (size_t i = 0; i < import->vertex_count; i++)
        import->vertices[i] = fender_vec3_sub(import->vertices[i], import->report.origin);
    return true;
}

/* ---- Measures ---- */

typedef struct sums {
    fender_box box;
    double unit; /* a power of two near the size: no square of a length overflows or vanishes */
    double area, volume, shortest, longest; /* in this unit; edges: squares */
    fender_vec3 middle;
} sums;

static void add_point(sums *s, fender_vec3 v)
{
    if (v.x < s->box.lower.x) s->box.lower.x = v.x;
    if (v.y < s->box.lower.y) s->box.lower.y = v.y;
    if (v.z < s->box.lower.z) s->box.lower.z = v.z;
    if (v.x > s->box.upper.x) s->box.upper.x = v.x;
    if (v.y > s->box.upper.y) s->box.upper.y = v.y;
    if (v.z > s->box.upper.z) s->box.upper.z = v.z;
}

/* Sums relative to the middle, so that a part far from the origin loses no accuracy. */
static void begin_facets(sums *s)
{
    const fender_vec3 sides = fender_vec3_sub(s->box.upper, s->box.lower);
    int exponent;
    (void)frexp(fmax(sides.x, fmax(sides.y, sides.z)), &exponent);
    s->unit = ldexp(1, exponent > -1000 ? exponent : -1000);
    s->middle = fender_vec3_scale(0.5 / s->unit, fender_vec3_add(s->box.lower, s->box.upper));
}

static void add_facet(sums *s, fender_vec3 a, fender_vec3 b, fender_vec3 c)
{
    const double scale = 1 / s->unit;
    a = fender_vec3_scale(scale, a);
    b = fender_vec3_scale(scale, b);
    c = fender_vec3_scale(scale, c);
    const fender_vec3 edges[3] = {fender_vec3_sub(b, a), fender_vec3_sub(c, b), fender_vec3_sub(a, c)};
    fender_vec3 n = fnd_import_area_vector(a, b, c);
    s->area += 0.5 * fender_vec3_length(n);
    s->volume += fender_vec3_dot(n, fender_vec3_sub(a, s->middle)) / 6;
    for (int k = 0; k < 3; k++) {
        double square = fender_vec3_dot(edges[k], edges[k]);
        if (square < s->shortest) s->shortest = square;
        if (square > s->longest) s->longest = square;
    }
}

static fender_vec3 grid_point(const fnd_import *import, int i, int j)
{
    return fender_vec3_make(import->lower.x + i * import->spacing.x, import->lower.y + j * import->spacing.y,
                            import->heights[(size_t)j * (size_t)import->columns + (size_t)i]);
}

/* No terrain is as steep. */
static int64_t count_cliffs(const fnd_import *import)
{
    const double slope = 300, most_x = slope * import->spacing.x, most_y = slope * import->spacing.y;
    int64_t count = 0;
    for (int j = 0; j < import->rows; j++) {
        const double *row = import->heights + (size_t)j * (size_t)import->columns;
        for (int i = 0; i + 1 < import->columns; i++) count += fabs(row[i + 1] - row[i]) > most_x;
        if (j + 1 == import->rows) break;
        for (int i = 0; i < import->columns; i++) count += fabs(row[import->columns + i] - row[i]) > most_y;
    }
    return count;
}

static void measure_grid(fnd_import *import, sums *s)
{
    fender_mesh_report *r = &import->report;
    int64_t columns = import->columns, rows = import->rows;
    r->is_grid = true;
    r->columns = import->columns;
    r->rows = import->rows;
    r->spacing = import->spacing;
    r->vertices = columns * rows;
    r->facets = 2 * (columns - 1) * (rows - 1);
    r->parts = r->open_parts = r->holes = 1;
    r->border_edges = 2 * (columns - 1) + 2 * (rows - 1);
    r->cliffs = count_cliffs(import);
    for (int j = 0; j < import->rows; j++)
        for (int i = 0; i < import->columns; i++) add_point(s, grid_point(import, i, j));
    begin_facets(s);
    for (int j = 0; j + 1 < import->rows; j++)
        for (int i = 0; i + 1 < import->columns; i++) {
            fender_vec3 near = grid_point(import, i, j);
            fender_vec3 far = grid_point(import, i + 1, j + 1);
            add_facet(s, near, grid_point(import, i + 1, j), far);
            add_facet(s, near, far, grid_point(import, i, j + 1));
        }
}

static void measure_mesh(fnd_import *import, sums *s)
{
    const fender_vec3 *v = import->vertices;
    for (size_t i = 0; i < import->vertex_count; i++) add_point(s, v[i]);
    begin_facets(s);
    for (size_t i = 0; i < import->corner_count; i += 3)
        add_facet(s, v[import->corners[i]], v[import->corners[i + 1]], v[import->corners[i + 2]]);
    import->report.vertices = (int64_t)import->vertex_count;
    import->report.facets = (int64_t)(import->corner_count / 3);
}

bool fnd_import_measure(fnd_import *import)
{
    sums s = {.box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, .shortest = INFINITY};
    fender_mesh_report *r = &import->report;
    if (import->heights) measure_grid(import, &s);
    else measure_mesh(import, &s);
    fender_vec3 sides = fender_vec3_sub(s.box.upper, s.box.lower);
    const double unit = s.unit;
    double largest = sides.x > sides.y ? sides.x : sides.y;
    if (sides.z > largest) largest = sides.z;
    r->area = s.area * unit * unit;
    r->volume = r->closed ? s.volume * unit * unit * unit : 0;
    r->shortest_edge = sqrt(s.shortest) * unit;
    r->longest_edge = sqrt(s.longest) * unit;
    r->bounds = (fender_box){fender_vec3_add(s.box.lower, r->origin), fender_vec3_add(s.box.upper, r->origin)};
    r->unit_suspect = largest < 1e-3 || largest > 1e6;
    return true;
}
