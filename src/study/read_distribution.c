/* Distributions out of a study file. */
#include "study/reading.h"

#include <fender/units.h>
#include <math.h>
#include <string.h>

/* Sets the unit of the variable, or scales the value to that unit. */
static bool convert(fnd_reader *reader, fnd_variable *v, const fnd_node *node, const char *text, double *value)
{
    fender_unit unit, own;
    fender_error error = {0};
    if (!text[0]) {
        if (!v->unit[0] || *value == 0) return true;
        fnd_complain(reader, &node->location, FENDER_STATUS_UNIT,
                     "this number has no unit, but others of the variable do",
                     fnd_shown(node->text ? node->text : "").text, fnd_phrase_make("a number [%s]", v->unit).text,
                     "give all numbers of a variable units, or none");
        return false;
    }
    if (fender_unit_parse(text, strlen(text), &unit, &error) != FENDER_STATUS_OK) {
        fnd_complain(reader, &node->location, error.status, error.message, error.found, error.expected,
                     error.suggestion);
        return false;
    }
    if (!v->unit[0]) {
        v->unit = text;
        v->scale = unit.scale;
        return true;
    }
    if (strcmp(text, v->unit) == 0) return true;
    (void)fender_unit_parse(v->unit, strlen(v->unit), &own, NULL);
    if (fender_unit_compatible(&unit, &own) && unit.offset == 0 && own.offset == 0) {
        *value *= unit.scale / own.scale;
        return true;
    }
    fnd_complain(reader, &node->location, FENDER_STATUS_UNIT,
                 fnd_phrase_make("unit '%s' does not match the unit '%s' of the same variable", text, v->unit).text,
                 text, v->unit, "use one unit for all numbers of a variable");
    return false;
}

bool fnd_study_read_number(fnd_reader *reader, fnd_variable *v, const fnd_node *node, const char *name, double *value)
{
    const char *unit = "";
    return fnd_split_number(reader, node, name, v->unit[0] ? v->unit : "1", value, &unit) &&
           convert(reader, v, node, unit, value);
}

/* Numbers of a list, perhaps with a unit as last element, in the unit of the variable, which the first unit becomes. */
static bool study_read_numbers(fnd_reader *reader, fnd_variable *v, const fnd_node *node, const char *form, int count,
                               double *values)
{
    const fnd_node *unit = node->kind == FND_NODE_LIST && node->last && fnd_is_unit_element(node->last) ? node->last
                                                                                                        : NULL;
    if (node->kind != FND_NODE_LIST || node->count - (unit != NULL) != count) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE,
                     fnd_phrase_make("this needs %d numbers", count).text, fnd_node_kind_text(node), form,
                     fnd_phrase_make("write %s", form).text);
        return false;
    }
    const fnd_node *child = node->first;
    for (int i = 0; i < count; i++, child = child->next) {
        const char *own = "";
        if (!fnd_split_number(reader, child, "number", "1", &values[i], &own)) return false;
        if (!convert(reader, v, child, own[0] ? own : unit ? unit->text : "", &values[i])) return false;
    }
    return true;
}

static bool refuse(fnd_reader *reader, const fnd_node *node, const char *message, const char *expected,
                   const char *remedy)
{
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_VALUE, message, "", expected, remedy);
    return false;
}

/* A parameter of a map; `of_variable`: in the variable's unit, else a plain number. */
static bool member(fnd_reader *reader, fnd_variable *v, const fnd_node *map, const char *key, bool of_variable,
                   bool positive, double *value)
{
    fnd_node *node = fnd_require(reader, map, key, "the distribution", "NUMBER");
    if (!node) return false;
    if (!(of_variable ? fnd_study_read_number(reader, v, node, key, value)
                      : fnd_read_number(reader, node, key, "1", value)))
        return false;
    return !positive || *value > 0 ||
           refuse(reader, node, fnd_phrase_make("'%s' must be more than 0", key).text, "more than 0",
                  "is the sign right?");
}

/* False: no memory. */
static bool note_places(fnd_reader *reader, fnd_variable *v, const fnd_node *values)
{
    fnd_location *places = fnd_keep(reader, (size_t)values->count, sizeof *places);
    const fnd_node *child = values->first;
    for (int i = 0; places && child; i++, child = child->next) places[i] = *fnd_node_shown_location(child);
    v->places = places;
    return places != NULL;
}

static bool read_discrete(fnd_reader *reader, fnd_variable *v, fnd_node *node)
{
    static const char *const keys[] = {"values", "options", "weights", NULL};
    if (!fnd_check_keys(reader, node, "discrete", keys)) return false;
    fnd_node *options = fnd_node_find(node, "options"), *weights = fnd_node_find(node, "weights");
    fnd_node *values = options ? options : fnd_require(reader, node, "values", "discrete", "[a, b]");
    if (!values || (!options && !fnd_expect_list(reader, values, "values"))) return false;
    int count = values->count;
    if (count == 0)
        return refuse(reader, values, "there is no value to choose", "at least one value", "list the values");
    const char **texts = options ? NULL : fnd_keep(reader, (size_t)count, sizeof *texts);
    double *cumulative = fnd_keep(reader, (size_t)count, sizeof *cumulative), sum = 0;
    if ((!options && !texts) || !cumulative) return false;
    if (options && !fnd_study_read_options(reader, v, options)) return false;
    const fnd_node *child = values->first;
    for (int i = 0; i < count && !options; i++, child = child->next)
        if (!fnd_read_text(reader, child, "value", &texts[i])) return false;
    if (weights && !fnd_expect_list(reader, weights, "weights")) return false;
    if (weights && weights->count != count)
        return refuse(reader, weights,
                      fnd_phrase_make("there are %d weights for %d values", weights->count, count).text,
                      "a weight for each value", "weights need not add up to 1");
    child = weights ? weights->first : NULL;
    for (int i = 0; i < count; i++, child = child ? child->next : NULL) {
        double weight = 1;
        if (child && !fnd_read_number_from(reader, child, "weight", "1", 0, false, &weight)) return false;
        cumulative[i] = sum += weight;
    }
    if (!(sum > 0)) return refuse(reader, weights, "all weights are 0", "a weight above 0", "");
    for (int i = 0; i < count; i++) cumulative[i] /= sum;
    double *numbers = options ? NULL : fnd_keep(reader, (size_t)count, sizeof *numbers);
    if ((!options && !numbers) || !note_places(reader, v, values)) return false;
    if (!options) v->texts = texts;
    if (!options && fnd_study_numbers(texts, count, numbers, &v->number_kind)) v->numbers = numbers;
    v->distribution.count = count;
    v->distribution.cumulative = cumulative;
    return true;
}

static bool read_table(fnd_reader *reader, fnd_variable *v, fnd_node *node)
{
    if (!fnd_expect_list(reader, node, "table")) return false;
    const fnd_node *unit = node->last && fnd_is_unit_element(node->last) ? node->last : NULL;
    int count = node->count - (unit != NULL);
    double *values = fnd_keep(reader, (size_t)count, sizeof *values),
           *cumulative = fnd_keep(reader, (size_t)count, sizeof *values);
    if (!values || !cumulative) return false;
    const fnd_node *row = node->first;
    for (int i = 0; i < count; i++, row = row->next) {
        const char *own = "";
        if (row->kind != FND_NODE_LIST || row->count != 2)
            return refuse(reader, row, "a row of the table has two numbers", "[value, cumulative probability]",
                          "write [[1, 0], [2, 0.5], [4, 1], m/s]");
        if (!fnd_split_number(reader, row->first, "value", "1", &values[i], &own) ||
            !convert(reader, v, row->first,
                     own[0] ? own
                     : unit ? unit->text
                            : "",
                     &values[i]) ||
            !fnd_read_number(reader, row->last, "probability", "1", &cumulative[i]))
            return false;
        if (i > 0 && (!(values[i] > values[i - 1]) || !(cumulative[i] >= cumulative[i - 1])))
            return refuse(reader, row, "the values or probabilities of the table decrease here",
                          "increasing values and probabilities", "sort the rows");
    }
    if (count < 2 || cumulative[0] != 0 || cumulative[count - 1] != 1)
        return refuse(reader, node, "the probabilities of the table do not go from 0 to 1",
                      "0 in the first row, 1 in the last", "");
    v->distribution.values = values;
    v->distribution.cumulative = cumulative;
    v->distribution.count = count;
    return true;
}

static double cosine(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; k < 20; k++) sum += term *= -x * x / ((2 * k - 1) * (2 * k));
    return sum;
}

/* The half angle and the axis of a cone. */
static bool read_cone(fnd_reader *reader, fnd_variable *v, const fnd_node *given, const fnd_node *along)
{
    double angle = 0, size = 0;
    fender_vec3 axis = {0, 0, 1};
    if (!fnd_read_number_from(reader, given, "cone", "rad", 0, true, &angle)) return false;
    if (angle > 3.1415926535897931)
        return refuse(reader, given, "the half angle of a cone is at most 180 deg", "at most 180 deg", "");
    if (along && !fnd_read_vector(reader, along, "axis", "1", &axis)) return false;
    size = sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
    if (!(size > 0)) return refuse(reader, along, "the axis has no length", "a direction", "");
    v->axis[0] = axis.x / size;
    v->axis[1] = axis.y / size;
    v->axis[2] = axis.z / size;
    v->distribution.p[0] = cosine(angle);
    return true;
}

static bool read_attitude(fnd_reader *reader, fnd_variable *v, fnd_node *node)
{
    static const char *const keys[] = {"cone", "axis", NULL};
    v->unit = "1";
    if (node->kind == FND_NODE_TEXT && strcmp(node->text, "uniform") == 0) return true;
    if (node->kind != FND_NODE_MAP)
        return refuse(reader, node, "'attitude' is uniform, or within a cone",
                      "uniform or {cone: ANGLE, axis: [x, y, z]}", "write attitude: {cone: 5 deg}");
    if (!fnd_check_keys(reader, node, "attitude", keys)) return false;
    fnd_node *given = fnd_require(reader, node, "cone", "attitude", "5 deg"), *along = fnd_node_find(node, "axis");
    if (!given || !read_cone(reader, v, given, along)) return false;
    v->distribution.kind = FND_CONE;
    return true;
}

static bool read_direction(fnd_reader *reader, fnd_variable *v, fnd_node *node)
{
    static const char *const keys[] = {"cone", "axis", "length", NULL};
    v->distribution.kind = FND_DIRECTION;
    v->distribution.p[0] = -1;
    v->distribution.p[1] = 1;
    v->axis[2] = 1;
    if (node->kind == FND_NODE_TEXT && strcmp(node->text, "uniform") == 0) return true;
    if (node->kind != FND_NODE_MAP)
        return refuse(reader, node, "'direction' is uniform, or within a cone, perhaps with a length",
                      "uniform or {cone: ANGLE, axis: [x, y, z], length: NUMBER UNIT}",
                      "write direction: {cone: 5 deg, length: 2 m/s}; without cone: any direction");
    if (!fnd_check_keys(reader, node, "direction", keys)) return false;
    fnd_node *given = fnd_node_find(node, "cone"), *along = fnd_node_find(node, "axis"),
             *length = fnd_node_find(node, "length");
    if (along && !given)
        return refuse(reader, along, "an axis needs the half angle of a cone about it", "a cone", "add cone: 10 deg");
    if (given && !read_cone(reader, v, given, along)) return false;
    if (!length) return true;
    if (!fnd_study_read_number(reader, v, length, "length", &v->distribution.p[1])) return false;
    return v->distribution.p[1] > 0 ||
           refuse(reader, length, "'length' must be more than 0", "more than 0", "the cone gives the direction");
}

static bool read_kind(fnd_reader *reader, fnd_variable *v, fnd_node *node)
{
    fnd_distribution *d = &v->distribution;
    double *p = d->p;
    switch (d->kind) {
    case FND_UNIFORM:
        if (!study_read_numbers(reader, v, node, "[from, to, UNIT]", 2, p)) return false;
        return p[0] < p[1] ||
               refuse(reader, node, "the first bound is not below the second", "from < to", "exchange the two");
    case FND_TRIANGULAR:
        if (!study_read_numbers(reader, v, node, "[from, peak, to, UNIT]", 3, p)) return false;
        return (p[0] <= p[1] && p[1] <= p[2] && p[0] < p[2]) ||
               refuse(reader, node, "the peak does not lie between the bounds", "from <= peak <= to",
                      "write [from, peak, to, UNIT]");
    case FND_DISCRETE: return read_discrete(reader, v, node);
    case FND_TABLE: return read_table(reader, v, node);
    case FND_ATTITUDE: return read_attitude(reader, v, node);
    case FND_CONE: return read_direction(reader, v, node); /* the tenth name */
    default: break;
    }
    static const char *const keys[4][5] = {{"mean", "deviation", NULL},
                                           {"median", "deviation", NULL},
                                           {"from", "to", "alpha", "beta", NULL},
                                           {"scale", "shape", NULL}};
    int row = d->kind == FND_NORMAL ? 0 : d->kind == FND_LOGNORMAL ? 1 : d->kind == FND_BETA ? 2 : 3;
    if (!fnd_check_keys(reader, node, node->key, keys[row])) return false;
    switch (d->kind) {
    case FND_NORMAL:
        if (!member(reader, v, node, "mean", true, false, &p[0])) return false;
        return !fnd_node_find(node, "deviation") || member(reader, v, node, "deviation", true, true, &p[1]);
    case FND_LOGNORMAL:
        return member(reader, v, node, "median", true, true, &p[0]) &&
               member(reader, v, node, "deviation", false, true, &p[1]);
    case FND_WEIBULL:
        return member(reader, v, node, "scale", true, true, &p[0]) &&
               member(reader, v, node, "shape", false, true, &p[1]);
    default:
        if (!member(reader, v, node, "from", true, false, &p[0]) ||
            !member(reader, v, node, "to", true, false, &p[1]) ||
            !member(reader, v, node, "alpha", false, true, &p[2]) ||
            !member(reader, v, node, "beta", false, true, &p[3]))
            return false;
        return p[0] < p[1] ||
               refuse(reader, node, "the first bound is not below the second", "from < to", "exchange the two");
    }
}

bool fnd_study_read_distribution(fnd_reader *reader, fnd_variable *v, fnd_node *node)
{
    static const char *const names[] = {"uniform",  "normal", "lognormal", "triangular", "beta", "weibull",
                                        "discrete", "table",  "attitude",  "direction",  NULL};
    fnd_node *given = NULL;
    for (int i = 0; names[i]; i++) {
        fnd_node *found = fnd_node_find(node, names[i]);
        if (found && given)
            return refuse(reader, found, "a variable has one distribution", "one of them", "remove the other");
        if (found) v->distribution.kind = (fnd_distribution_kind)i;
        if (found) given = found;
    }
    if (!given) {
        fnd_complain(reader, &node->key_location, FENDER_STATUS_PARSE,
                     fnd_phrase_make("'%s' has no distribution", node->key).text, "", fnd_join(names).text,
                     "write, for example, uniform: [1, 2, m/s]");
        return false;
    }
    if (!read_kind(reader, v, given)) return false;
    fnd_node *within = fnd_node_find(node, "within");
    fnd_distribution *d = &v->distribution;
    if (!within) return true;
    double bounds[2];
    if (d->kind == FND_DISCRETE || d->kind >= FND_ATTITUDE)
        return refuse(reader, within, "'within' is for distributions of numbers", "a distribution of numbers",
                      "remove it");
    if (!study_read_numbers(reader, v, within, "[from, to, UNIT]", 2, bounds)) return false;
    if (d->kind == FND_NORMAL && d->p[1] == 0)
        return refuse(reader, within, "'within' needs the deviation of what it cuts off", "a deviation",
                      "add deviation; variables with a covariance are not cut off");
    if (!(fnd_probability_between(d, bounds[0], bounds[1]) > 0))
        return refuse(reader, within, "no part of the distribution is within these bounds",
                      "bounds that contain a part of it", "exchange or widen them");
    d->truncated = true;
    d->low = bounds[0];
    d->high = bounds[1];
    return true;
}
