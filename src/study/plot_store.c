/* `fender study plot`: the figures of a store as SVG, a file each or all in one. */
#include "study/figures.h"
#include "support/file.h"
#include "support/io_error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { KINDS = 5, TITLE = 30, MOST_BARS = 40 };
static const char *const kinds[KINDS] = {"outcomes", "convergence", "sensitivities", "histograms", "parallel"};

typedef struct drawing {
    fnd_figures *figures;
    const fender_study_plot_def *def;
    fnd_buffer body; /* of all figures in one file */
    int x, y, row_height, count;
    bool one_file, asked[KINDS];
    int chosen[2]; /* columns of --x and --y; -1: none */
    fender_error *error;
    fender_status status;
} drawing;

static void begin_picture(fnd_buffer *to, int width, int height)
{
    fnd_buffer_appendf(to,
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                       "font-family=\"sans-serif\" font-size=\"12\">%s\n<rect width=\"%d\" height=\"%d\" "
                       "fill=\"#ffffff\"/>\n",
                       width, height, width, height, fnd_figure_style, width, height);
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static fender_status fail_choice(fender_error *error, const char *message, const char *found, const char *expected)
{
    return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = message, .found = found,
                       .expected = expected, .suggestion = "leave it out to have all of them");
}

/* A list with commas; empty: all. */
static bool read_kinds(drawing *d)
{
    const char *list = d->def->what ? d->def->what : "";
    for (int k = 0; k < KINDS; k++) d->asked[k] = !list[0];
    while (*list) {
        size_t length = strcspn(list, ",");
        int k = 0;
        while (k < KINDS && !is_word(list, length, kinds[k])) k++;
        if (k == KINDS) {
            char found[64];
            snprintf(found, sizeof found, "%.*s", length < 60 ? (int)length : 60, list);
            d->status = fail_choice(d->error, "there are no such figures", found,
                                    "outcomes, convergence, sensitivities, histograms or parallel");
            return false;
        }
        d->asked[k] = true;
        list += length + (list[length] == ',');
    }
    return true;
}

static int find_column(drawing *d, const char *name, bool input)
{
    const fnd_results *r = d->figures->r;
    for (int c = 0; c < r->column_count; c++)
        if (strcmp(r->columns[c].name, name) == 0 && (!input || r->columns[c].kind == FND_COLUMN_INPUT) &&
            d->figures->values[c])
            return c;
    d->status = fail_choice(d->error, input ? "no input has that name" : "no column has that name", name,
                            input ? "an input of the study" : "an input, a kept value or an outcome");
    return -1;
}

static bool is_asked(const drawing *d, int column)
{
    const char *of = d->def->of;
    return !of || strcmp(d->figures->r->columns[column].name, of) == 0;
}

/* Takes a finished figure into the one file, or writes its own. */
static void finish(drawing *d, fnd_buffer *figure, const char *kind, const char *name, int width, int height)
{
    char path[2048], safe[201];
    if (figure->length == 0 || d->status != FENDER_STATUS_OK) return;
    d->count++;
    if (d->one_file) {
        if (d->x > 0 && d->x + width > FND_FIGURE_WIDE) {
            d->x = 0;
            d->y += d->row_height;
            d->row_height = 0;
        }
        fnd_buffer_appendf(&d->body, "<g transform=\"translate(%d %d)\">\n", d->x, d->y);
        fnd_buffer_append(&d->body, figure->text, figure->length);
        fnd_buffer_append_text(&d->body, "</g>\n");
        d->x += width + FND_FIGURE_WIDE - 2 * FND_FIGURE_WIDTH;
        if (height + 10 > d->row_height) d->row_height = height + 10;
        return;
    }
    fnd_buffer file = fnd_buffer_open(&figure->allocator);
    begin_picture(&file, width, height);
    fnd_buffer_append(&file, figure->text, figure->length);
    fnd_buffer_append_text(&file, "</svg>\n");
    snprintf(safe, sizeof safe, "%s", name);
    for (char *c = safe; *c; c++)
        if (*c == '/' || (unsigned char)*c < 0x20) *c = '_'; /* a store may have been made by anybody */
    snprintf(path, sizeof path, "%.1500s/%s_%s.svg", d->def->output, kind, safe);
    if (file.failed) d->status = fnd_io_fail_memory(d->error, "a figure");
    else d->status = fnd_file_write(path, file.text, file.length, d->error);
    fnd_buffer_close(&file);
}

static void draw(drawing *d, int kind, int c)
{
    const fnd_store_column *column = &d->figures->r->columns[c];
    fnd_buffer figure = fnd_buffer_open(&d->body.allocator);
    fnd_bar room[MOST_BARS];
    fnd_bars table;
    int chosen[2], width = FND_FIGURE_WIDTH, height = FND_FIGURE_HEIGHT;
    bool outcome = column->kind == FND_COLUMN_OUTCOME;
    static const char *const names[KINDS] = {"outcome", "convergence", "sensitivity", "histogram", "parallel"};
    switch (kind) {
    case 0:
        if (!outcome || !fnd_figures_choose(d->figures, c, chosen)) break;
        for (int i = 0; i < 2; i++)
            if (d->chosen[i] >= 0) chosen[i] = d->chosen[i];
        fnd_figure_scatter(&figure, d->figures, c, chosen[0], chosen[1]);
        break;
    case 1:
        if (outcome && d->figures->is_sample) fnd_figure_convergence(&figure, d->figures, c);
        break;
    case 2:
        if (column->kind == FND_COLUMN_INPUT || !fnd_figures_sensitivities(d->figures, c, room, MOST_BARS, &table))
            break;
        fnd_figure_bars(&figure, &table);
        height = fnd_figure_bars_height(&table);
        break;
    case 3:
        if (!outcome && d->figures->values[c] && d->figures->is_sample) fnd_figure_histogram(&figure, d->figures, c);
        break;
    default:
        if (outcome) fnd_figure_parallel(&figure, d->figures, c);
        width = FND_FIGURE_WIDE;
        break;
    }
    if (figure.failed) d->status = fnd_io_fail_memory(d->error, "a figure");
    else finish(d, &figure, names[kind], column->name, width, height);
    fnd_buffer_close(&figure);
}

static void write_one(drawing *d)
{
    const fnd_results *r = d->figures->r;
    fnd_buffer file = fnd_buffer_open(&d->body.allocator);
    int top = r->title[0] ? TITLE : 0;
    int width = d->count == 1 && d->x < FND_FIGURE_WIDE ? FND_FIGURE_WIDTH : FND_FIGURE_WIDE;
    begin_picture(&file, width, top + d->y + d->row_height);
    if (top > 0) {
        fnd_buffer_append_text(&file, "<text class=\"f-title\" x=\"4\" y=\"18\">");
        fnd_figure_text(&file, r->title);
        fnd_buffer_append_text(&file, "</text>\n");
    }
    fnd_buffer_appendf(&file, "<g transform=\"translate(0 %d)\">\n", top);
    fnd_buffer_append(&file, d->body.text, d->body.length);
    fnd_buffer_append_text(&file, "</g></svg>\n");
    if (file.failed || d->body.failed) d->status = fnd_io_fail_memory(d->error, "the figures");
    else d->status = fnd_file_write(d->def->output, file.text, file.length, d->error);
    fnd_buffer_close(&file);
}

static fender_status make_folder(const char *path, fender_error *error)
{
    struct stat found;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode)))
        return FENDER_STATUS_OK;
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = path,
                       .message = "the folder for the figures cannot be made", .found = strerror(errno),
                       .expected = "a folder, or a name that ends in .svg", .suggestion = "name another one with -o");
}

fender_status fender_study_plot(const fender_env *env, const fender_study_plot_def *def, int *count,
                                fender_error *error)
{
    fnd_results r;
    fnd_figures figures;
    size_t length = strlen(def->output);
    fender_status status = fnd_results_read(&r, env, def->store, error);
    if (status != FENDER_STATUS_OK) return status;
    drawing d = {.figures = &figures,
                 .def = def,
                 .body = fnd_buffer_open(&env->allocator),
                 .one_file = length > 4 && strcmp(def->output + length - 4, ".svg") == 0,
                 .chosen = {-1, -1},
                 .error = error};
    if (!fnd_figures_open(&figures, &r)) d.status = fnd_io_fail_memory(error, "the figures of a study");
    else if (read_kinds(&d)) {
        if (def->x) d.chosen[0] = find_column(&d, def->x, true);
        if (def->y && d.status == FENDER_STATUS_OK) d.chosen[1] = find_column(&d, def->y, true);
        if (def->of && d.status == FENDER_STATUS_OK) (void)find_column(&d, def->of, false);
        if (d.status == FENDER_STATUS_OK && !d.one_file) d.status = make_folder(def->output, error);
    }
    for (int k = 0; k < KINDS && d.status == FENDER_STATUS_OK && r.rows > 0; k++)
        for (int c = 0; c < r.column_count && d.status == FENDER_STATUS_OK && d.asked[k]; c++)
            if (is_asked(&d, c)) draw(&d, k, c);
    if (d.status == FENDER_STATUS_OK && d.count == 0)
        d.status = FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .source = def->store,
                               .message = "the store holds nothing for these figures",
                               .expected = "runs, and columns that such figures are made of",
                               .suggestion = "fender study report STORE tells what it holds");
    if (d.status == FENDER_STATUS_OK && d.one_file) write_one(&d);
    if (count) *count = d.count;
    status = d.status;
    fnd_buffer_close(&d.body);
    fnd_results_release(&r);
    return status;
}
