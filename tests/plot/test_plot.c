/* Plots: axes that show all with round ticks, curves where they belong, thinning that keeps every peak, text for
 * terminals. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "random_numbers.h"

static fnd_buffer open_buffer(void)
{
    fender_env env = fender_env_default();
    return fnd_buffer_open(&env.allocator);
}

/* ---- axes */

static void check_axis(double low, double high, int most, bool round)
{
    fnd_axis axis = fnd_axis_make(low, high, most, round);
    double last = axis.first + (axis.count - 1) * axis.step,
           slop = 1e-6 * axis.step +
                  1e-15 * (fabs(axis.low) + fabs(axis.high)); /* rounding of the numbers themselves */
    bool good = axis.high > axis.low && axis.step > 0 && axis.count >= 1 && axis.count <= most + 1 &&
                axis.first >= axis.low - slop && last <= axis.high + slop;
    if (low >= -1e300 && high <= 1e300) good = good && axis.low <= low + slop && axis.high >= high - slop;
    if (!good)
        fail_msg("%g to %g, %d: %g to %g, %d ticks from %g by %g", low, high, most, axis.low, axis.high, axis.count,
                 axis.first, axis.step);
    double power = pow(10, floor(log10(axis.step) + 1e-9)), mantissa = axis.step / power;
    if (fabs(mantissa - 1) > 1e-9 && fabs(mantissa - 2) > 1e-9 && fabs(mantissa - 5) > 1e-9)
        fail_msg("step %g", axis.step);
}

static void axes_show_all(void **state)
{
    static const double ends[][2] = {
        {0, 1},           {0, 0},          {5, 5},      {-3, -3},       {1e9, 1e9},
        {-1e-9, 2e-9},    {1e6, 1e6 + 1},  {0.1, 0.3},  {-1, 1},        {0, 9.999},
        {1e-300, 2e-300}, {-1e308, 1e308}, {0, 5e-324}, {1, 1 + 1e-12}, {INFINITY, -INFINITY}};
    random_stream random = random_of_case(3, 0);
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        for (int most = 3; most <= 14; most++)
            for (int round = 0; round < 2; round++)
                if (ends[i][0] <= ends[i][1]) check_axis(ends[i][0], ends[i][1], most, round == 1);
    for (int i = 0; i < 20000; i++) {
        double low = random_between(&random, -1, 1) * pow(10, random_between(&random, -8, 8));
        check_axis(low, low + pow(10, random_between(&random, -6, 8)), 3 + i % 12, i % 2 == 0);
    }
    fnd_axis nothing = fnd_axis_make(INFINITY, -INFINITY, 5, false);
    assert_true(nothing.low == -1 && nothing.high == 1);
}

static void check_labels(double low, double high, int most, const char *expected)
{
    char line[200] = "", text[64];
    fnd_axis axis = fnd_axis_make(low, high, most, true);
    for (int i = 0; i < axis.count; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s", i > 0 ? " " : "",
                 fnd_axis_label(&axis, i, text, sizeof text));
    if (axis.power != 0) snprintf(line + strlen(line), sizeof line - strlen(line), ", 1e%d", axis.power);
    assert_string_equal(line, expected);
}

static void labels(void **state)
{
    (void)state;
    check_labels(0, 1, 6, "0 0.2 0.4 0.6 0.8 1");
    check_labels(-0.3, 0.3, 5, "-0.4 -0.2 0 0.2 0.4");
    check_labels(0, 7750, 6, "0 2000 4000 6000 8000");
    check_labels(0, 2.5e6, 6, "0 0.5 1 1.5 2 2.5, 1e6");
    check_labels(0, 3e-5, 4, "0 10 20 30, 1e-6");
    check_labels(1000000, 1000004, 5, "1 1.000001 1.000002 1.000003 1.000004, 1e6");
}

/* ---- SVG */

static const double ramp_x[] = {0, 1, 2, 3, 4}, ramp_y[] = {0, 10, 20, 30, 40};

static fnd_plot one_curve(fnd_plot_panel *panel, const fnd_plot_curve *curve)
{
    *panel = (fnd_plot_panel){"y [m]", curve, 1};
    return (fnd_plot){
        .title = "", .x_label = "time [s]", .panels = panel, .panel_count = 1, .from = -INFINITY, .until = INFINITY};
}

/* The commands of the drawn path: that which has round caps. */
static char *path_of(const fnd_buffer *svg)
{
    char *cap = strstr(svg->text, "stroke-linecap");
    assert_non_null(cap);
    while (strncmp(cap, "d=\"", 3) != 0) cap--;
    return cap + 3;
}

/* A straight line stays straight: every point of the picture lies between the corners of its axes in proportion. */
static void a_line_is_where_it_belongs(void **state)
{
    fnd_plot_panel panel;
    fnd_plot_curve curve = {"ramp", ramp_x, ramp_y, 5, 0, 0};
    fnd_plot plot = one_curve(&panel, &curve);
    fnd_buffer svg = open_buffer();
    (void)state;
    assert_true(fnd_plot_svg(&plot, &svg));
    double x[5], y[5], left, top, bottom, right;
    assert_int_equal(sscanf(path_of(&svg), "M%lf,%lfL%lf,%lfL%lf,%lfL%lf,%lfL%lf,%lf\"", &x[0], &y[0], &x[1], &y[1],
                            &x[2], &y[2], &x[3], &y[3], &x[4], &y[4]),
                     10);
    const char *axes = strstr(svg.text, "fill=\"none\" stroke=\"#888888\"/>");
    while (strncmp(axes, "d=\"", 3) != 0) axes--;
    assert_int_equal(sscanf(axes, "d=\"M%lf,%lfV%lfH%lf", &left, &top, &bottom, &right), 4);
    for (int i = 0; i < 5; i++) {
        check_near(x[i], left + (right - left) * i / 4, 0.051); /* printed to 0.1 */
        check_near(y[i], bottom + (top - bottom) * i / 4, 0.051);
    }
    assert_non_null(strstr(svg.text, ">y [m]</text>"));
    assert_non_null(strstr(svg.text, ">time [s]</text>"));
    assert_non_null(strstr(svg.text, ">ramp</text>"));
    fnd_buffer_close(&svg);
}

/* A million points with one high and one low one: few are drawn, and both peaks are among them. */
static void thinning_keeps_peaks(void **state)
{
    enum { COUNT = 1000000 };
    double *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y);
    fnd_plot_panel panel;
    (void)state;
    assert_true(x && y);
    for (int i = 0; i < COUNT; i++) {
        x[i] = i;
        y[i] = i == 123456 ? 100 : i == 654321 ? -100 : sin(1e-3 * i);
    }
    fnd_plot_curve curve = {"many", x, y, COUNT, 0, 0};
    fnd_plot plot = one_curve(&panel, &curve);
    fnd_buffer svg = open_buffer();
    assert_true(fnd_plot_svg(&plot, &svg));
    check_below((double)svg.length, 60000);
    double least = INFINITY, most = -INFINITY;
    for (const char *at = path_of(&svg); *at != '"';) {
        double px, py;
        int used = 0;
        if (sscanf(at, "%*c%lf,%lf%n", &px, &py, &used) != 2) fail_msg("%.40s", at);
        least = py < least ? py : least;
        most = py > most ? py : most;
        at += used;
    }
    check_near(most - least, 240, 0.11); /* -100 to 100 fill the panel */
    fnd_buffer_close(&svg);
    free(x);
    free(y);
}

static void gaps_and_odd_names(void **state)
{
    const double x[] = {0, 1, 2, 3, 4, 5}, y[] = {1, NAN, 3, 4, INFINITY, 2};
    fnd_plot_panel panel;
    fnd_plot_curve curve = {"<a> & \"b\" \x01\xff µ", x, y, 6, 9, 7};
    fnd_plot plot = one_curve(&panel, &curve);
    fnd_buffer svg = open_buffer();
    (void)state;
    assert_true(fnd_plot_svg(&plot, &svg));
    int moves = 0;
    for (const char *at = path_of(&svg); *at != '"'; at++) moves += *at == 'M';
    assert_int_equal(moves, 3);
    assert_non_null(strstr(svg.text, ">&lt;a&gt; &amp; \"b\" ?? µ</text>"));
    fnd_buffer_close(&svg);
    /* a time that rounding puts behind the end is shown, the next one is not */
    const double late[] = {0, 1 + 1e-15, 1.5}, level[] = {0, 1, 2};
    curve = (fnd_plot_curve){"late", late, level, 3, 0, 0};
    plot.until = 1;
    svg = open_buffer();
    assert_true(fnd_plot_svg(&plot, &svg));
    int points = 0;
    for (const char *at = path_of(&svg); *at != '"'; at++) points += *at == ',';
    assert_int_equal(points, 2);
    fnd_buffer_close(&svg);
    /* nothing at all still is a picture */
    curve.count = 0;
    svg = open_buffer();
    assert_true(fnd_plot_svg(&plot, &svg));
    assert_non_null(strstr(svg.text, "</svg>"));
    assert_null(strstr(svg.text, "nan"));
    fnd_buffer_close(&svg);
}

/* ---- text */

static void text_in_ascii(void **state)
{
    static const char expected[] = "y [m]\n"
                                   "  * ramp\n"
                                   "       40 +                 **\n"
                                   "          |               **\n"
                                   "          |             **\n"
                                   "          |           **\n"
                                   "       20 +        ***\n"
                                   "          |      **\n"
                                   "          |    **\n"
                                   "          |  **\n"
                                   "        0 +**\n"
                                   "          ++--------+--------+\n"
                                   "           0        2        4\n"
                                   "           time [s]\n";
    fnd_plot_panel panel;
    fnd_plot_curve curve = {"ramp", ramp_x, ramp_y, 5, 0, 0};
    fnd_plot plot = one_curve(&panel, &curve);
    fnd_buffer text = open_buffer();
    (void)state;
    assert_true(fnd_plot_text(&plot, 30, 9, false, &text));
    assert_string_equal(text.text, expected);
    fnd_buffer_close(&text);
}

static void text_in_braille(void **state)
{
    fnd_plot_panel panel;
    fnd_plot_curve curve = {"ramp", ramp_x, ramp_y, 5, 0, 0};
    fnd_plot plot = one_curve(&panel, &curve);
    fnd_buffer text = open_buffer();
    (void)state;
    assert_true(fnd_plot_text(&plot, 30, 9, true, &text));
    /* first point: lower left of the lower left character, U+2840; last: upper right, U+2808 */
    assert_non_null(strstr(text.text, "0 \xe2\x94\xa4\xe2\xa1\xa0"));
    assert_non_null(strstr(text.text, "\n"));
    for (int columns = -5; columns < 500; columns += 101)
        for (int rows = -5; rows < 200; rows += 41) {
            fnd_buffer_clear(&text);
            assert_true(fnd_plot_text(&plot, columns, rows, rows % 2 == 0, &text));
        }
    fnd_buffer_close(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_show_all),
        cmocka_unit_test(labels),
        cmocka_unit_test(a_line_is_where_it_belongs),
        cmocka_unit_test(thinning_keeps_peaks),
        cmocka_unit_test(gaps_and_odd_names),
        cmocka_unit_test(text_in_ascii),
        cmocka_unit_test(text_in_braille),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
