/* Plots of the program: collecting of curves, writing of files, printing on terminals. */
#include "figure.h"

#include <assert.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/file.h"

enum { COLUMNS = 80, ROWS_OF_ONE = 18, ROWS_OF_SEVERAL = 11 };

/* ---- collecting */

bool fnd_app_figure_open(fnd_app_figure *figure, const fender_allocator *allocator, const char *title)
{
    memset(figure, 0, sizeof *figure);
    figure->arena = fnd_arena_open(allocator, 0);
    figure->panels = FND_ARENA_NEW_ARRAY(&figure->arena, fnd_plot_panel, FND_APP_FIGURE_CURVES);
    figure->keys = FND_ARENA_NEW_ARRAY(&figure->arena, const char *, FND_APP_FIGURE_CURVES);
    figure->plot = (fnd_plot){
        .title = title, .x_label = "time [s]", .panels = figure->panels, .from = -INFINITY, .until = INFINITY};
    return !figure->arena.failed;
}

void fnd_app_figure_close(fnd_app_figure *figure) { fnd_arena_close(&figure->arena); }

bool fnd_app_figure_add(fnd_app_figure *figure, const char *key, const char *label, fnd_plot_curve curve)
{
    assert(key && label);
    int index = 0;
    if (figure->curve_count == FND_APP_FIGURE_CURVES) return false;
    while (index < figure->plot.panel_count && strcmp(figure->keys[index], key) != 0) index++;
    fnd_plot_panel *panel = &figure->panels[index];
    if (index == figure->plot.panel_count) {
        fnd_plot_curve *curves = FND_ARENA_NEW_ARRAY(&figure->arena, fnd_plot_curve, FND_APP_FIGURE_CURVES);
        if (!curves) return false;
        *panel = (fnd_plot_panel){label, curves, 0};
        figure->keys[index] = key;
        figure->plot.panel_count++;
    }
    ((fnd_plot_curve *)panel->curves)[panel->curve_count++] = curve;
    figure->curve_count++;
    return true;
}

const char *fnd_app_figure_label(fnd_app_figure *figure, const char *name, const char *unit)
{
    char text[600];
    int length = snprintf(text, sizeof text, "%.400s%s%.100s%s", name, unit[0] ? (name[0] ? " [" : "[") : "", unit,
                          unit[0] ? "]" : "");
    return fnd_arena_copy(&figure->arena, text, (size_t)length);
}

const double *fnd_app_figure_scaled(fnd_app_figure *figure, const double *values, size_t count, double factor,
                                    double offset)
{
    if (factor == 1 && offset == 0) return values;
    double *scaled = FND_ARENA_NEW_ARRAY(&figure->arena, double, count);
    for (size_t i = 0; scaled && i < count; i++) scaled[i] = factor * values[i] + offset;
    return scaled;
}

/* ---- files */

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length > end && strcmp(path + length - end, ending) == 0;
}

int fnd_app_figure_check(fnd_app *app, const char *path)
{
    char message[320];
    if (ends_in(path, ".svg") || ends_in(path, ".png") || ends_in(path, ".pdf")) return FND_APP_OK;
    snprintf(message, sizeof message, "'%.200s' does not end in .svg, .png or .pdf", path);
    return fnd_app_usage(app, message, "the extension selects the format, for example --out plot.svg");
}

/* The exit code of the program, or -1 when it is not there. */
static int run_tool(char *const *words)
{
    extern char **environ;
    pid_t child;
    int status;
    if (posix_spawnp(&child, words[0], NULL, NULL, words, environ) != 0) return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    if (!WIFEXITED(status)) return 1;
    return WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);
}

/* Has another program make the PNG or PDF file of an SVG file. */
static int convert(fnd_app *app, const char *svg, const char *path)
{
    char message[400], output[1100];
    bool pdf = ends_in(path, ".pdf");
    char *const rsvg[] = {"rsvg-convert", "-f",         pdf ? "pdf" : "png", "-z", pdf ? "1" : "2",
                          "-o",           (char *)path, (char *)svg,         NULL};
    snprintf(output, sizeof output, "--export-filename=%.1000s", path);
    char *const inkscape[] = {"inkscape", output, (char *)svg, NULL};
    int code = run_tool(rsvg);
    if (code < 0) code = run_tool(inkscape);
    if (code == 0) return FND_APP_OK;
    snprintf(message, sizeof message,
             code < 0 ? "'%.200s' needs rsvg-convert or inkscape, but neither is installed"
                      : "'%.200s' was not written: the conversion program failed",
             path);
    return fnd_app_error(
        app, code < 0 ? FENDER_STATUS_NOT_BUILT : FENDER_STATUS_FILE, message,
        "write an .svg file, which needs no other program, or install one: apt-get install librsvg2-bin");
}

int fnd_app_figure_write(fnd_app *app, const fnd_app_figure *figure, const char *path)
{
    fender_error error = {0};
    char passing[1024];
    bool svg = ends_in(path, ".svg");
    const char *name = path;
    if (!svg) {
        snprintf(passing, sizeof passing, "%.1000s.partial.svg", path);
        name = passing;
    }
    fnd_buffer text = fnd_buffer_open(&app->env.allocator);
    int code = FND_APP_OK;
    if (!fnd_plot_svg(&figure->plot, &text)) {
        code = fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the plot", "");
    } else if (fnd_file_write(name, text.text, text.length, &error) != FENDER_STATUS_OK) {
        fnd_app_print_error(app, &error);
        code = fnd_app_exit_code(error.status, false);
    } else if (!svg) {
        code = convert(app, name, path);
        unlink(name);
    }
    fnd_buffer_close(&text);
    return code;
}

/* ---- terminals */

static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value == NULL || value[0] == '\0') continue;
        return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8") || strstr(value, "utf-8");
    }
    return false;
}

static int terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : COLUMNS;
}

int fnd_app_figure_print(fnd_app *app, const fnd_app_figure *figure)
{
    fnd_buffer text = fnd_buffer_open(&app->env.allocator);
    int rows = figure->plot.panel_count > 1 ? ROWS_OF_SEVERAL : ROWS_OF_ONE, code = FND_APP_OK;
    if (fnd_plot_text(&figure->plot, terminal_columns(), rows, is_utf8(), &text))
        fnd_app_put_bytes(&app->out, text.text, text.length);
    else code = fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the plot", "");
    fnd_buffer_close(&text);
    return code;
}
