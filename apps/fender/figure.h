/* A plot put together curve by curve, and written as SVG, PNG, PDF or text. */
#ifndef FND_APP_FIGURE_H
#define FND_APP_FIGURE_H

#include "app.h"
#include "plot/plot.h"
#include "tables/recording.h"

enum { FND_APP_FIGURE_CURVES = 64 }; /* at most */
typedef struct fnd_app_figure {
    fnd_arena arena;
    fnd_plot plot;
    fnd_plot_panel *panels;
    const char **keys; /* of the panels */
    int curve_count;
} fnd_app_figure;

/* False when there is no memory. Close it also then. */
bool fnd_app_figure_open(fnd_app_figure *figure, const fender_allocator *allocator, const char *title);
void fnd_app_figure_close(fnd_app_figure *figure);
/* Adds a curve to the panel of that key, which is made if it is new, with that label. Texts and numbers must live as
 * long as the figure. False when there is no memory or room. */
bool fnd_app_figure_add(fnd_app_figure *figure, const char *key, const char *label, fnd_plot_curve curve);
/* A terminated copy of "name [unit]"; NULL when there is no memory. */
const char *fnd_app_figure_label(fnd_app_figure *figure, const char *name, const char *unit);
/* The numbers times factor plus offset; themselves where that changes nothing. NULL when there is no memory. */
const double *fnd_app_figure_scaled(fnd_app_figure *figure, const double *values, size_t count, double factor,
                                    double offset);
/* Checks the extension of an output file. On failure prints the error and returns the exit code. */
int fnd_app_figure_check(fnd_app *app, const char *path);
/* Writes it into a file. Returns the exit code. */
int fnd_app_figure_write(fnd_app *app, const fnd_app_figure *figure, const char *path);
/* Prints it for the terminal. Returns the exit code. */
int fnd_app_figure_print(fnd_app *app, const fnd_app_figure *figure);

#endif
