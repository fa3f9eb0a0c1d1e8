/* Forces that a contact type has from outside: checked and copied, and their values at a time. */
#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_set.h"
#include <string.h>

enum { NORMAL_COMPONENTS = 1, FRICTION_COMPONENTS = 2 };

static size_t value_count(const fender_force_table *table, int components)
{
    return (size_t)table->count * (size_t)table->columns * (size_t)components;
}

static const char *problem_of(const fender_force_table *table, int components)
{
    if (table->count == 0) return NULL;
    if (table->count < 0 || !table->times || !table->values) return "the table has no rows";
    if (table->columns < 1 || table->columns > INT32_MAX / components) return "the table has no columns";
    if ((unsigned)table->after > FENDER_AFTER_ZERO) return "what follows the table is unknown";
    for (int i = 0; i < table->count; i++) {
        if (!isfinite(table->times[i])) return "a time of the table is not finite";
        if (i > 0 && !(table->times[i] > table->times[i - 1])) return "the times of the table do not rise";
    }
    size_t count = value_count(table, components);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(table->values[i])) return "a force of the table is not finite";
    return NULL;
}

static bool copy_table(const fender_env *env, fender_force_table *table, int components)
{
    const double *times = table->times, *values = table->values;
    table->times = table->values = NULL;
    if (table->count == 0) {
        table->columns = 0;
        return true;
    }
    size_t rows = (size_t)table->count, numbers = value_count(table, components);
    double *own_times = fnd_allocate(env, rows * sizeof *own_times);
    double *own_values = fnd_allocate(env, numbers * sizeof *own_values);
    table->times = own_times;
    table->values = own_values;
    if (!own_times || !own_values) return false;
    memcpy(own_times, times, rows * sizeof *times);
    memcpy(own_values, values, numbers * sizeof *values);
    return true;
}

static void release_table(const fender_env *env, fender_force_table *table, int components)
{
    fnd_release(env, (void *)table->times, (size_t)table->count * sizeof *table->times);
    fnd_release(env, (void *)table->values, value_count(table, components) * sizeof *table->values);
    memset(table, 0, sizeof *table);
}

fender_status fnd_provided_init(const fender_env *env, fnd_contact_type *type, const fender_provided *provided,
                                fender_error *error)
{
    if (!provided) return FENDER_STATUS_OK;
    const char *problem = problem_of(&provided->normal, NORMAL_COMPONENTS), *path = "provided.normal";
    if (!problem) {
        problem = problem_of(&provided->friction, FRICTION_COMPONENTS);
        path = "provided.friction";
    }
    if (problem)
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, path, problem, "",
                                           "finite forces in columns, and rows each later than the one before", ""});
    type->provided = *provided;
    type->is_provided = true;
    bool whole = copy_table(env, &type->provided.normal, NORMAL_COMPONENTS);
    whole = copy_table(env, &type->provided.friction, FRICTION_COMPONENTS) && whole;
    return whole ? FENDER_STATUS_OK : fnd_fail_memory(error, "provided forces");
}

void fnd_provided_release(const fender_env *env, fnd_contact_type *type)
{
    if (!type->is_provided) return;
    release_table(env, &type->provided.normal, NORMAL_COMPONENTS);
    release_table(env, &type->provided.friction, FRICTION_COMPONENTS);
}

int fnd_provided_columns(const fnd_contact_type *type)
{
    int normal = type->provided.normal.columns, friction = type->provided.friction.columns;
    return normal > friction ? normal : friction;
}

/* One component of one column at a time; 0 for a point that has no column. */
static double value_at(const fender_force_table *table, int components, int component, int index, double time)
{
    int last = table->count - 1, column = table->columns == 1 ? 0 : index;
    if (table->count == 0 || column >= table->columns || !(time >= table->times[0])) return 0;
    size_t stride = (size_t)table->columns * (size_t)components;
    const double *values = table->values + (size_t)column * (size_t)components + (size_t)component;
    if (time >= table->times[last])
        return table->after == FENDER_AFTER_HOLD || time == table->times[last] ? values[(size_t)last * stride] : 0;
    int low = 0, high = last;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (table->times[middle] <= time) low = middle;
        else high = middle;
    }
    double part = (time - table->times[low]) / (table->times[high] - table->times[low]);
    double from = values[(size_t)low * stride];
    return from + part * (values[(size_t)high * stride] - from);
}

void fnd_provide(const fnd_contact_type *type, const fnd_key *key, fender_contact_input *in)
{
    in->provided_normal = 0;
    in->provided_friction = (fender_vec2){0, 0};
    if (!type->is_provided) return;
    const fender_provided *p = &type->provided;
    if (p->force) {
        fender_shape_id a = {key->a + 1, 1}, b = {key->b + 1, 1};
        p->force(p->ctx, in->time, a, b, in->index, &in->provided_normal, &in->provided_friction);
        return;
    }
    in->provided_normal = value_at(&p->normal, NORMAL_COMPONENTS, 0, in->index, in->time);
    in->provided_friction.x = value_at(&p->friction, FRICTION_COMPONENTS, 0, in->index, in->time);
    in->provided_friction.y = value_at(&p->friction, FRICTION_COMPONENTS, 1, in->index, in->time);
}

void fnd_contact_provide(const fnd_contact_type *type, fnd_contact *c)
{
    fnd_provide(type, &c->key, &c->in);
    if (!type->is_provided || c->gain == 1) return;
    c->in.provided_normal /= c->gain;
    if (!type->whole) return;
    c->in.provided_friction.x /= c->gain;
    c->in.provided_friction.y /= c->gain;
}
