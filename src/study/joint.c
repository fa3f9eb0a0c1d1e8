/* Jointly distributed variables: correlation and covariance matrices out of a study file, and their roots. */
#include "study/reading.h"
#include "study/statistics.h"

#include <fender/units.h>
#include <math.h>
#include <string.h>

static bool refuse(fnd_reader *reader, const fnd_node *node, const char *message, const char *found,
                   const char *expected, const char *remedy)
{
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_VALUE, message, found, expected, remedy);
    return false;
}

/* The least eigenvalue, by Jacobi's rotations; `a` is used up. */
static double least_eigenvalue(double *a, int n)
{
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) off += a[p * n + q] * a[p * n + q];
        if (off < 1e-30) break;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                double apq = a[p * n + q];
                if (apq == 0) continue;
                double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
                double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < n; k++) {
                    double x = a[k * n + p], y = a[k * n + q];
                    a[k * n + p] = c * x - s * y;
                    a[k * n + q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    double x = a[p * n + k], y = a[q * n + k];
                    a[p * n + k] = c * x - s * y;
                    a[q * n + k] = s * x + c * y;
                }
            }
    }
    double least = a[0];
    for (int i = 1; i < n; i++) least = a[i * n + i] < least ? a[i * n + i] : least;
    return least;
}

/* Cholesky's factor; a variable that follows from those before it has 0 on the diagonal. */
static void factor(const double *matrix, double *root, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = matrix[i * n + j];
            for (int k = 0; k < j; k++) sum -= root[i * n + k] * root[j * n + k];
            double diagonal = root[j * n + j];
            if (i == j) root[i * n + i] = sum > 1e-12 ? sqrt(sum) : 0;
            else root[i * n + j] = diagonal > 0 ? sum / diagonal : 0;
        }
}

/* Correlation of normal numbers with this rank correlation: 2 sin(pi r / 6) (W. H. Kruskal, J. Am. Stat. Assoc. 53
 * (1958), 6.1). */
static double of_ranks(double r)
{
    double x = r * 0.52359877559829887, sum = x, term = x;
    for (int k = 1; k < 10; k++) sum += term *= -x * x / ((2 * k) * (2 * k + 1));
    return fabs(r) < 1 ? 2 * sum : r;
}

static bool read_members(fnd_reader *reader, fender_study *s, const fnd_node *list, fnd_joint *joint)
{
    int *members = fnd_keep(reader, (size_t)list->count, sizeof *members);
    fnd_known_name names[64];
    int count = 0;
    for (int i = 0; i < s->variable_count && i < 64; i++) names[count++] = (fnd_known_name){s->variables[i].id.name, 0};
    if (!members) return false;
    joint->members = members;
    for (const fnd_node *node = list->first; node; node = node->next) {
        const char *name = NULL;
        int found = 0;
        if (!fnd_read_text(reader, node, "variables", &name)) return false;
        while (found < s->variable_count && strcmp(s->variables[found].id.name, name) != 0) found++;
        if (found == s->variable_count) {
            fnd_complain(reader, &node->location, FENDER_STATUS_NAME,
                         fnd_phrase_make("no variable is named '%s'", fnd_shown(name).text).text, fnd_shown(name).text,
                         "a variable of 'vary'", fnd_suggest(reader, name, "variables", names, count).text);
            return false;
        }
        fnd_variable *v = &s->variables[found];
        if (v->joined)
            return refuse(reader, node, fnd_phrase_make("'%s' is correlated twice", name).text, name,
                          "each variable once, in one group", "put all that are correlated into one matrix");
        if (v->distribution.kind >= FND_ATTITUDE)
            return refuse(reader, node, fnd_phrase_make("'%s' is not one number, and cannot be correlated", name).text,
                          name, "variables of one number", "leave it out");
        v->joined = true;
        members[joint->count++] = found;
    }
    return true;
}

/* An entry of a covariance matrix in the units of both variables. */
static bool convert(fnd_reader *reader, const fnd_node *node, const fnd_variable *a, const fnd_variable *b,
                    const char *text, double *value)
{
    fender_unit unit, of_a = {.scale = 1}, of_b = {.scale = 1};
    fender_error error = {0};
    if (a->unit[0]) (void)fender_unit_parse(a->unit, strlen(a->unit), &of_a, NULL);
    if (b->unit[0]) (void)fender_unit_parse(b->unit, strlen(b->unit), &of_b, NULL);
    fnd_phrase expected = fnd_phrase_make("a unit such as (%s)*(%s)", a->unit[0] ? a->unit : "1",
                                          b->unit[0] ? b->unit : "1");
    if (!text[0]) {
        if ((!a->unit[0] && !b->unit[0]) || *value == 0) return true;
        return refuse(reader, node, "this covariance has no unit, but its variables have", "", expected.text,
                      "give each entry its unit, or the matrix one for all as its last element");
    }
    if (fender_unit_parse(text, strlen(text), &unit, &error) != FENDER_STATUS_OK) {
        fnd_complain(reader, &node->location, error.status, error.message, error.found, error.expected,
                     error.suggestion);
        return false;
    }
    fender_unit product = of_a;
    for (int i = 0; i < FENDER_DIMENSION_COUNT; i++) product.exponent[i] += of_b.exponent[i];
    product.offset = 0;
    if (!fender_unit_compatible(&unit, &product)) {
        fnd_complain(reader, &node->location, FENDER_STATUS_UNIT,
                     fnd_phrase_make("unit '%s' is not that of a covariance of '%s' and '%s'", fnd_shown(text).text,
                                     a->id.name, b->id.name)
                         .text,
                     text, expected.text, "a covariance has the units of both variables, multiplied");
        return false;
    }
    *value *= unit.scale / (of_a.scale * of_b.scale);
    return true;
}

static bool read_matrix(fnd_reader *reader, const fender_study *s, const fnd_joint *joint, const fnd_node *node,
                        bool with_units, double *matrix)
{
    int n = joint->count;
    const fnd_node *unit = node->kind == FND_NODE_LIST && node->last && fnd_is_unit_element(node->last) ? node->last
                                                                                                        : NULL;
    bool square = node->kind == FND_NODE_LIST && node->count - (unit != NULL) == n;
    const fnd_node *row = square ? node->first : NULL;
    for (int i = 0; i < n && square; i++, row = row->next) square = row->kind == FND_NODE_LIST && row->count == n;
    if (!square)
        return refuse(reader, node, fnd_phrase_make("the matrix has not %d rows of %d numbers", n, n).text, "",
                      "a row and a column for each variable, in the same order", "write [[1, 0.5], [0.5, 1]]");
    row = node->first;
    for (int i = 0; i < n; i++, row = row->next) {
        const fnd_node *entry = row->first;
        for (int j = 0; j < n; j++, entry = entry->next) {
            double *value = &matrix[i * n + j];
            const char *own = "";
            if (!with_units) {
                if (!fnd_read_number(reader, entry, "correlation", "1", value)) return false;
            } else if (!fnd_split_number(reader, entry, "covariance", "1", value, &own) ||
                       !convert(reader, entry, &s->variables[joint->members[i]], &s->variables[joint->members[j]],
                                own[0] ? own
                                : unit ? unit->text
                                       : "",
                                value))
                return false;
            double other = j < i ? matrix[j * n + i] : *value;
            if (fabs(*value - other) > 1e-9 * (fabs(*value) + fabs(other)))
                return refuse(reader, entry, "the matrix is not symmetric", fnd_digits(*value, "").text,
                              fnd_phrase_make("%s, as in row %d", fnd_digits(other, "").text, j + 1).text,
                              "write the same number on both sides of the diagonal");
            if (i == j && (with_units ? !(*value > 0) : *value != 1))
                return refuse(reader, entry,
                              with_units ? "a variance must be more than 0" : "the diagonal of a correlation is 1",
                              fnd_digits(*value, "").text, with_units ? "more than 0" : "1",
                              with_units ? "variances stand on the diagonal"
                                         : "for variances and units, write covariance: [[..]]");
            if (!with_units && fabs(*value) > 1)
                return refuse(reader, entry, "a correlation lies from -1 to 1", fnd_digits(*value, "").text, "-1 to 1",
                              "for numbers with units, write covariance: [[..]]");
        }
    }
    return true;
}

/* Deviations of its variables, which must be normal and have none of their own; leaves the correlation. */
static bool take_deviations(fnd_reader *reader, fender_study *s, const fnd_joint *joint, const fnd_node *node,
                            double *matrix)
{
    int n = joint->count;
    for (int i = 0; i < n; i++) {
        fnd_variable *v = &s->variables[joint->members[i]];
        if (v->distribution.kind != FND_NORMAL)
            return refuse(reader, node, fnd_phrase_make("'%s' is not normal; a covariance needs it", v->id.name).text,
                          "", "normal: {mean: M}", "write correlation for other distributions");
        if (v->distribution.p[1] > 0)
            return refuse(reader, node, fnd_phrase_make("'%s' has a deviation and a covariance", v->id.name).text, "",
                          "one of them", "remove the deviation, or write correlation");
        v->distribution.p[1] = sqrt(matrix[i * n + i]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            matrix[i * n + j] = i == j ? matrix[i * n + j]
                                       : matrix[i * n + j] / (s->variables[joint->members[i]].distribution.p[1] *
                                                              s->variables[joint->members[j]].distribution.p[1]);
    for (int i = 0; i < n; i++) matrix[i * n + i] = 1;
    return true;
}

static void read_group(fnd_reader *reader, fender_study *s, fnd_node *node, fnd_joint *joint)
{
    static const char *const keys[] = {"variables", "correlation", "rank_correlation", "covariance", NULL};
    if (!fnd_expect_map(reader, node, "a group of 'joint'") ||
        !fnd_check_keys(reader, node, "a group of 'joint'", keys))
        return;
    *joint = (fnd_joint){0};
    joint->location = *fnd_node_shown_location(node);
    fnd_node *variables = fnd_require(reader, node, "variables", "a group of 'joint'", "[a, b]"), *given = NULL;
    int kind = 0;
    for (int i = 1; keys[i]; i++) {
        fnd_node *found = fnd_node_find(node, keys[i]);
        if (found && given) {
            (void)refuse(reader, found, "a group has one matrix", "", "one of them", "remove the other");
            return;
        }
        if (found) given = found, kind = i;
    }
    if (!given) (void)fnd_require(reader, node, "correlation", "a group of 'joint'", "[[1, 0.5], [0.5, 1]]");
    if (!given || !variables || !fnd_expect_list(reader, variables, "variables")) return;
    if (variables->count < 2 || variables->count > FND_JOINT_LIMIT) {
        (void)refuse(reader, variables, "a group has from 2 to 64 variables", "", "at least two variables", "");
        return;
    }
    int n = variables->count;
    size_t size = (size_t)(n * n);
    double *matrix = fnd_keep(reader, size, sizeof *matrix), *work = fnd_keep(reader, size, sizeof *matrix),
           *root = fnd_keep(reader, size, sizeof *matrix);
    if (!matrix || !work || !root || !read_members(reader, s, variables, joint) ||
        !read_matrix(reader, s, joint, given, kind == 3, matrix) ||
        (kind == 3 && !take_deviations(reader, s, joint, given, matrix)))
        return;
    for (int i = 0; i < n * n && kind == 2; i++) matrix[i] = of_ranks(matrix[i]);
    memcpy(work, matrix, size * sizeof *work);
    double least = least_eigenvalue(work, n);
    if (least < -1e-10) { /* (1 - t) I + t C has no negative eigenvalue up to t = 1 / (1 - least) */
        (void)refuse(reader, given, "no variables can be correlated like this: the matrix is not positive definite",
                     fnd_phrase_make("least eigenvalue %s", fnd_digits(least, "").text).text, "0 or more",
                     fnd_phrase_make("it is possible with all numbers off the diagonal times %s or less",
                                     fnd_digits(floor(1000 / (1 - least)) / 1000, "").text)
                         .text);
        return;
    }
    factor(matrix, root, n);
    joint->root = root;
    s->joint_count++;
}

void fnd_study_read_joint(fnd_reader *reader, fender_study *s, fnd_node *section)
{
    if (section && fnd_expect_list(reader, section, "joint")) {
        s->joints = fnd_keep(reader, (size_t)section->count, sizeof *s->joints);
        for (fnd_node *node = s->joints ? section->first : NULL; node; node = node->next)
            read_group(reader, s, node, &s->joints[s->joint_count]);
    }
    if (fnd_diagnostics_error_count(reader->diagnostics) > 0) return;
    for (int i = 0; i < s->variable_count; i++)
        if (s->variables[i].distribution.kind == FND_NORMAL && !(s->variables[i].distribution.p[1] > 0))
            fnd_complain(reader, &s->variables[i].location, FENDER_STATUS_PARSE,
                         fnd_phrase_make("'%s' has no deviation", s->variables[i].id.name).text, "",
                         "a deviation, or a covariance in 'joint'", "write normal: {mean: M, deviation: S}");
}

void fnd_study_rank_joint(fnd_reader *reader, fender_study *s)
{
    enum { MOST = 10000000 };
    if (s->joint_count == 0) return;
    const char *why = NULL, *remedy = "choose random, latin_hypercube or sobol";
    switch (s->design) {
    case FND_DESIGN_RANDOM:
    case FND_DESIGN_SOBOL:
    case FND_DESIGN_LIST: break;
    case FND_DESIGN_LATIN_HYPERCUBE:
        if (s->runs > MOST) {
            why = "Latin hypercubes of correlated variables have at most 10000000 runs";
            remedy = "choose random or sobol";
        }
        break;
    case FND_DESIGN_SOBOL_INDICES: why = "Sobol's indices are those of independent variables"; break;
    default: why = "this design takes each variable by itself, so that none can be correlated"; break;
    }
    if (why) fnd_complain(reader, &s->joints[0].location, FENDER_STATUS_VALUE, why, "", "no 'joint'", remedy);
    if (why || s->design != FND_DESIGN_LATIN_HYPERCUBE) return;
    size_t runs = (size_t)s->runs;
    fnd_arena room = fnd_arena_open(&s->env.allocator, 0);
    int64_t *order = FND_ARENA_NEW_ARRAY(&room, int64_t, runs), *spare = FND_ARENA_NEW_ARRAY(&room, int64_t, runs);
    for (int g = 0; g < s->joint_count; g++) {
        fnd_joint *joint = &s->joints[g];
        size_t count = (size_t)joint->count;
        uint32_t *ranks = fnd_keep(reader, count * runs, sizeof *ranks);
        double *numbers = FND_ARENA_NEW_ARRAY(&room, double, count *runs), z[FND_JOINT_LIMIT];
        if (!ranks || room.failed) break;
        for (int64_t run = 0; run < s->runs; run++) {
            fnd_joint_normals(s, joint, run, z);
            for (size_t i = 0; i < count; i++) numbers[i * runs + (size_t)run] = z[i];
        }
        for (size_t i = 0; i < count; i++) {
            fnd_sort_indices(numbers + i * runs, order, spare, s->runs);
            for (size_t k = 0; k < runs; k++) ranks[i * runs + (size_t)order[k]] = (uint32_t)k;
        }
        joint->ranks = ranks;
    }
    if (room.failed) reader->memory_failed = true;
    fnd_arena_close(&room);
}
