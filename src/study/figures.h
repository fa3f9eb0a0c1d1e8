/* Figures of a store as SVG, for the page and for `fender study plot`. They look through style classes, so that a page
 * can have them light or dark. */
#ifndef FND_STUDY_FIGURES_H
#define FND_STUDY_FIGURES_H

#include "study/sensitivity.h"
#include "support/memory.h"

enum {
    FND_FIGURE_WIDTH = 470,
    FND_FIGURE_HEIGHT = 310,
    FND_FIGURE_WIDE = 960,
    FND_MOST_SHOWN = 4000,
    FND_MOST_WORDS = 24
};

/* A store prepared for drawing. Memory is that of the results. */
typedef struct fnd_figures {
    const fnd_results *r;
    fnd_results *results;      /* the same, for its memory */
    double **values;           /* of each column; a word is the index of its category; NULL: too many words to draw */
    const char *const **words; /* of each column: its categories, sorted; NULL: numbers */
    int *word_count;
    unsigned char *shown; /* rows that are drawn as points and lines: all, or a sample */
    int64_t shown_count, stride;
    fnd_store_design design;
    bool is_sample;             /* all rows are: shares of them are probabilities */
    double *effects;            /* room of fnd_sensitivity_of */
    fnd_estimate *correlations; /* of two columns, plain and folded, once they are known */
    unsigned char *known;
    double *a, *b, *room;
    int64_t *order, *spare;
} fnd_figures;

/* False when there is no memory. */
bool fnd_figures_open(fnd_figures *figures, fnd_results *results);

/* Rank correlation of two columns over the rows that have both; `folded`: of the distance of `a` from its median, which
 * finds what happens at both ends. */
fnd_estimate fnd_figures_correlation(fnd_figures *figures, int a, int b, bool folded);
/* The columns of a kind that a column goes with, most of all first, by the larger of the two correlations; at most
 * `most`. Returns their number. */
int fnd_figures_ranking(fnd_figures *figures, int column, fnd_column_kind kind, int most, int *ranked);
/* The two inputs that an outcome goes with most; false when fewer than two can be drawn. */
bool fnd_figures_choose(fnd_figures *figures, int outcome, int chosen[2]);

/* Bars with intervals from a table: sensitivities of any kind. */
typedef struct fnd_bar {
    const char *label;
    fnd_estimate value;
} fnd_bar;
typedef struct fnd_bars {
    const char *title, *axis; /* "rank correlation" */
    const fnd_bar *bars;
    int count;
    double low, high; /* of the axis, at least */
} fnd_bars;
int fnd_figure_bars_height(const fnd_bars *table);

/* Each draws one figure of FND_FIGURE_WIDTH by FND_FIGURE_HEIGHT at (0, 0), unless it says otherwise. */
void fnd_figure_scatter(fnd_buffer *to, fnd_figures *figures, int outcome, int x, int y);
void fnd_figure_convergence(fnd_buffer *to, fnd_figures *figures, int outcome);
void fnd_figure_histogram(fnd_buffer *to, fnd_figures *figures, int column);
void fnd_figure_bars(fnd_buffer *to, const fnd_bars *table);            /* fnd_figure_bars_height */
void fnd_figure_parallel(fnd_buffer *to, fnd_figures *figures, int of); /* FND_FIGURE_WIDE; coloured by the outcome */

/* The table of sensitivities of a column to the inputs: rank correlations, or what the design was made for; bars in
 * `room`. False: there is none. */
bool fnd_figures_sensitivities(fnd_figures *figures, int column, fnd_bar *room, int most, fnd_bars *table);

/* Text with the characters that HTML and SVG reserve replaced. */
void fnd_figure_text(fnd_buffer *to, const char *text);
/* Style classes for a picture on its own, on white. */
extern const char fnd_figure_style[];

#endif
