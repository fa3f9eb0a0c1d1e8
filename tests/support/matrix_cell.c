/* The matrix under test: one cell, all classes, and its lines in the table. */
#include "check.h"
#include "matrix.h"

#include <stdlib.h>
#include <string.h>

static void print_header(void)
{
    print_message("Worst errors as parts of the larger of size and distance. proofs: least depths proven by branch and "
                  "bound to 1e-9, "
                  "loose: to less than 1e-8.\n");
    print_message("%-9s %-9s %-10s %6s %6s %6s %6s %5s | %8s %8s %8s %8s %8s %8s | %5s %s\n", "a", "b", "class",
                  "poses", "apart", "over", "proofs", "loose", "distance", "depth", "witness", "gap", "turned", "unit",
                  "fails", "s (oracle)");
}

void matrix_print_line(const char *a, const char *b, const char *kind, const matrix_tally *t)
{
    print_message("%-9s %-9s %-10s %6d %6d %6d %6d %5d | %8.1e %8.1e %8.1e %8.1e %8.1e %8.1e | %5d %.2f (%.2f)\n", a, b,
                  kind, t->poses, t->apart, t->overlapping, t->proofs, t->loose, larger(t->distance, t->known),
                  t->depth, t->witness, t->gap, t->turned, t->unit, t->bad, t->seconds_tested + t->seconds_oracle,
                  t->seconds_oracle);
}

static bool of_one_point(matrix_type t)
{
    return t == MATRIX_POINT || t == MATRIX_SPHERE || t == MATRIX_CLOUD || t == MATRIX_PLANE;
}
static bool curved(matrix_type t)
{
    return t == MATRIX_DISK || t == MATRIX_CYLINDER || t == MATRIX_CONE || t == MATRIX_ELLIPSOID;
}

int matrix_allowed(matrix_type a, matrix_type b, int poses)
{
    bool user = a == MATRIX_USER || b == MATRIX_USER, plane = a == MATRIX_PLANE || b == MATRIX_PLANE;
    bool field = (a == MATRIX_FIELD && !of_one_point(b)) || (b == MATRIX_FIELD && !of_one_point(a));
    if ((user && !plane) || field) return 3 * poses / 10 + (user ? 2 : 1); /* of user functions few are looked at */
    if ((curved(a) && !of_one_point(b)) || (curved(b) && !of_one_point(a))) return 1 + poses / 1000;
    return 0;
}

static bool run_cell(matrix_checker *check, matrix_type a, matrix_type b, int poses, int *missing)
{
    static matrix_pool pool_a, pool_b;
    matrix_pool_create(&pool_a, a);
    matrix_pool_create(&pool_b, b);
    bool good = true;
    fender_separation tried;
    fender_pose far = {{1e3, 0, 0}, {1, 0, 0, 0}}, origin = fender_pose_identity();
    if (fender_geometry_separation(pool_a.items[0][0].geometry, &origin, pool_b.items[0][0].geometry, &far, &tried) ==
        FENDER_STATUS_NO_PAIR_FUNCTION) {
        print_message("%-9s %-9s no function\n", matrix_type_names[a], matrix_type_names[b]);
        ++*missing;
    } else
        for (int k = 0; k < MATRIX_CLASS_COUNT; k++) {
            matrix_tally tally = {0};
            char label[64];
            snprintf(label, sizeof label, "%s, %s, %s", matrix_type_names[a], matrix_type_names[b],
                     matrix_class_names[k]);
            const char *only = getenv("MATRIX_CASE"); /* one case alone, to look into it */
            for (int i = only ? atoi(only) : 0; i < (only ? atoi(only) + 1 : poses); i++) {
                random_stream r = random_of_case(7000 + (uint64_t)(a * 100 + b) * 16 + (uint64_t)k, (uint64_t)i);
                matrix_case c = matrix_case_of(&pool_a, &pool_b, (matrix_class)k, &r);
                int before = tally.failures;
                check(&c, label, i, &tally);
                tally.bad += tally.failures > before;
            }
            matrix_print_line(matrix_type_names[a], matrix_type_names[b], matrix_class_names[k], &tally);
            good = good && tally.bad <= matrix_allowed(a, b, poses);
        }
    matrix_pool_destroy(&pool_a);
    matrix_pool_destroy(&pool_b);
    return good;
}

int matrix_run_all(matrix_checker *check, int poses)
{
    const char *only_a = getenv("MATRIX_A"), *only_b = getenv("MATRIX_B"), *count = getenv("MATRIX_POSES");
    int missing = 0, failed = 0, cells = 0;
    if (count) poses = atoi(count);
    print_header();
    for (int a = 0; a < MATRIX_TYPE_COUNT; a++)
        for (int b = only_a && only_b ? 0 : a; b < MATRIX_TYPE_COUNT; b++) { /* both orders when named */
            if (only_a && strcmp(only_a, matrix_type_names[a]) != 0) continue;
            if (only_b && strcmp(only_b, matrix_type_names[b]) != 0) continue;
            bool slow = !count && (a == MATRIX_USER || b == MATRIX_USER);
            failed += !run_cell(check, (matrix_type)a, (matrix_type)b, slow ? poses / 10 : poses, &missing);
            cells++;
        }
    print_message("%d cells: %d failed, %d have no function\n", cells, failed, missing);
    return failed;
}
