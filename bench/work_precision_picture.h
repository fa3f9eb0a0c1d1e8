/* Drawing of work-precision curves as SVG: one column of panels for each case, error over evaluations and over time. */
#ifndef FENDER_BENCH_WORK_PRECISION_PICTURE_H
#define FENDER_BENCH_WORK_PRECISION_PICTURE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { WORK_PRECISION_POINTS = 16, WORK_PRECISION_CURVES = 12 };

typedef struct work_precision_point {
    double accuracy; /* step [s] or tolerance */
    double evaluations, seconds, error;
} work_precision_point;
typedef struct work_precision_curve {
    char name[64];
    int method, count;
    bool dashed;
    work_precision_point points[WORK_PRECISION_POINTS];
} work_precision_curve;
typedef struct work_precision_panel {
    const char *title;
    double floor; /* m; below it the reference itself is uncertain */
    work_precision_curve curves[WORK_PRECISION_CURVES];
    int curve_count;
} work_precision_panel;

/* Where a panel lies on the page, and which decades it shows. */
typedef struct work_precision_axes {
    double left, top, width, height;
    int x_low, x_high, y_low, y_high;
    bool time;
} work_precision_axes;

static inline double work_precision_x(const work_precision_axes *a, double value)
{
    return a->left + a->width * (log10(value) - a->x_low) / (a->x_high - a->x_low);
}

static inline double work_precision_y(const work_precision_axes *a, double value)
{
    double decade = value > 0 ? log10(value) : a->y_low;
    if (decade < a->y_low) decade = a->y_low;
    return a->top + a->height * (a->y_high - decade) / (a->y_high - a->y_low);
}

static inline void work_precision_fit(work_precision_axes *a, const work_precision_panel *panel)
{
    double x_least = INFINITY, x_most = 0, y_least = INFINITY, y_most = 0;
    for (int i = 0; i < panel->curve_count; i++)
        for (int k = 0; k < panel->curves[i].count; k++) {
            const work_precision_point *p = &panel->curves[i].points[k];
            double x = a->time ? p->seconds : p->evaluations, y = p->error;
            if (x < x_least) x_least = x;
            if (x > x_most) x_most = x;
            if (y > 0 && y < y_least) y_least = y;
            if (y > y_most) y_most = y;
        }
    bool empty = !(x_most > 0) || !(y_most > 0);
    a->x_low = empty ? 0 : (int)floor(log10(x_least));
    a->x_high = empty ? 1 : (int)ceil(log10(x_most));
    a->y_low = empty ? 0 : (int)floor(log10(y_least));
    a->y_high = empty ? 1 : (int)ceil(log10(y_most));
    if (a->x_high == a->x_low) a->x_high++;
    if (a->y_high == a->y_low) a->y_high++;
}

static inline void work_precision_grid(FILE *file, const work_precision_axes *a, const char *title)
{
    double bottom = a->top + a->height, right = a->left + a->width;
    for (int d = a->x_low; d <= a->x_high; d++) {
        double x = work_precision_x(a, pow(10, d));
        fprintf(file, "<path d='M%.1f %.1fV%.1f' stroke='#ddd'/>\n", x, a->top, bottom);
        fprintf(file, "<text x='%.1f' y='%.1f' text-anchor='middle'>1e%d</text>\n", x, bottom + 15, d);
    }
    int every = (a->y_high - a->y_low) > 9 ? 2 : 1;
    for (int d = a->y_low; d <= a->y_high; d += every) {
        double y = work_precision_y(a, pow(10, d));
        fprintf(file, "<path d='M%.1f %.1fH%.1f' stroke='#ddd'/>\n", a->left, y, right);
        fprintf(file, "<text x='%.1f' y='%.1f' text-anchor='end'>1e%d</text>\n", a->left - 5, y + 4, d);
    }
    fprintf(file, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='none' stroke='#333'/>\n", a->left, a->top,
            a->width, a->height);
    fprintf(file, "<text x='%.1f' y='%.1f' text-anchor='middle'>%s</text>\n", a->left + a->width / 2, bottom + 32,
            a->time ? "processor time [s]" : "evaluations of all forces");
    fprintf(file,
            "<text x='%.1f' y='%.1f' text-anchor='middle' transform='rotate(-90 %.1f %.1f)'>largest error of position "
            "[m]</text>\n",
            a->left - 46, a->top + a->height / 2, a->left - 46, a->top + a->height / 2);
    if (!a->time)
        fprintf(file, "<text x='%.1f' y='%.1f' text-anchor='middle' font-size='15'>%s</text>\n", a->left + a->width / 2,
                a->top - 10, title);
}

static inline void work_precision_style(FILE *file, const work_precision_curve *curve, bool dashed)
{
    static const char *const colors[] = {"#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d98200", "#555555", "#00838f"};
    fprintf(file, "stroke='%s' fill='none' stroke-width='1.8'%s", colors[curve->method % 7],
            dashed ? " stroke-dasharray='5 3'" : "");
}

static inline void work_precision_lines(FILE *file, const work_precision_axes *a, const work_precision_panel *panel)
{
    for (int i = 0; i < panel->curve_count; i++) {
        const work_precision_curve *curve = &panel->curves[i];
        if (curve->count == 0) continue;
        fprintf(file, "<path d='");
        for (int k = 0; k < curve->count; k++) {
            const work_precision_point *p = &curve->points[k];
            fprintf(file, "%s%.1f %.1f", k == 0 ? "M" : "L", work_precision_x(a, a->time ? p->seconds : p->evaluations),
                    work_precision_y(a, p->error));
        }
        fprintf(file, "' ");
        work_precision_style(file, curve, curve->dashed);
        fprintf(file, "/>\n");
        for (int k = 0; k < curve->count; k++) {
            const work_precision_point *p = &curve->points[k];
            fprintf(file, "<circle r='2.4' cx='%.1f' cy='%.1f' ",
                    work_precision_x(a, a->time ? p->seconds : p->evaluations), work_precision_y(a, p->error));
            work_precision_style(file, curve, false);
            fprintf(file, "/>\n");
        }
    }
}

/* False when the file could not be written. */
static inline bool work_precision_draw(const char *path, const work_precision_panel *panels, int count)
{
    const double width = 330, height = 300, left = 80, top = 40, gap_x = 100, gap_y = 70;
    double page_width = left + count * (width + gap_x) + 110, page_height = top + 2 * (height + gap_y);
    FILE *file = fopen(path, "w");
    if (file == NULL) return false;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' width='%.0f' height='%.0f' "
            "font-family='sans-serif' font-size='12'>\n<rect width='100%%' height='100%%' fill='white'/>\n",
            page_width, page_height, page_width, page_height);
    for (int i = 0; i < count; i++)
        for (int row = 0; row < 2; row++) {
            work_precision_axes a = {.left = left + i * (width + gap_x),
                                     .top = top + row * (height + gap_y),
                                     .width = width,
                                     .height = height,
                                     .time = row == 1};
            work_precision_fit(&a, &panels[i]);
            work_precision_grid(file, &a, panels[i].title);
            work_precision_lines(file, &a, &panels[i]);
        }
    for (int i = 0; i < panels[0].curve_count; i++) {
        double x = left + count * (width + gap_x) - 75, y = top + 10 + 20 * i;
        fprintf(file, "<path d='M%.1f %.1fh28' ", x, y);
        work_precision_style(file, &panels[0].curves[i], panels[0].curves[i].dashed);
        fprintf(file, "/>\n<text x='%.1f' y='%.1f'>%s</text>\n", x + 34, y + 4, panels[0].curves[i].name);
    }
    fprintf(file, "</svg>\n");
    bool good = ferror(file) == 0;
    return fclose(file) == 0 && good;
}

#endif
