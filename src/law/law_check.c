/* Whether a law that comes from outside is complete. */
#include "base/error.h"
#include "base/name_index.h"
#include "law/registry.h"

static fender_status refuse(fender_error *error, fender_status status, const char *path, const char *message,
                            const char *found, const char *expected)
{
    return fnd_fail(error, (fnd_fault){status, path, message, found, expected, ""});
}

static bool field_is_complete(const fender_field_table *table, const fender_field *field)
{
    if (!fnd_name_valid(field->name) || !field->unit || !field->doc) return false;
    if ((unsigned)field->type > FENDER_FIELD_ENUM || (field->type == FENDER_FIELD_ENUM && !field->choices))
        return false;
    size_t size = (size_t)fender_field_component_count(field) * sizeof(double);
    if (field->type == FENDER_FIELD_BOOL) size = sizeof(bool);
    if (field->type == FENDER_FIELD_INT || field->type == FENDER_FIELD_ENUM) size = sizeof(int);
    return size <= table->size && field->offset <= table->size - size;
}

static fender_status check_parameters(const fender_law *law, fender_error *error)
{
    const fender_field_table *table = &law->parameters;
    if (table->count < 0 || (table->count > 0 && (!table->fields || table->field_size < sizeof(fender_field))))
        return refuse(error, FENDER_STATUS_ARGUMENT, "parameters", "the parameter table is incomplete", law->name,
                      "fields and their size (FENDER_FIELD_TABLE)");
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        if (!field_is_complete(table, field))
            return refuse(error, FENDER_STATUS_ARGUMENT, "parameters", "a field of the law's parameters is incomplete",
                          field->name ? field->name : law->name,
                          "a name, a unit, a sentence, and a place within the struct");
        if (fender_field_find(table, field->name) != field)
            return refuse(error, FENDER_STATUS_NAME, "parameters", "two parameters of the law have one name",
                          field->name, "each name once");
    }
    return FENDER_STATUS_OK;
}

fender_status fnd_law_check(const fender_law *law, fender_error *error)
{
    if (!fnd_name_valid(law->name))
        return refuse(error, FENDER_STATUS_NAME, "name", "a law needs a name", law->name ? law->name : "NULL",
                      "letters, digits and _, not beginning with a digit");
    if (!law->doc)
        return refuse(error, FENDER_STATUS_ARGUMENT, "doc", "the law is incomplete", law->name,
                      "a sentence that says what it does");
    const uint32_t kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL | FENDER_LAW_FRICTION | FENDER_LAW_ROLLING |
                           FENDER_LAW_TWISTING;
    if (!law->force || !(law->kinds & kinds))
        return refuse(error, FENDER_STATUS_ARGUMENT, law->force ? "kinds" : "force", "the law is incomplete", law->name,
                      "a force function and at least one kind");
    if (law->kinds & ~kinds || law->needs & ~(uint32_t)(FENDER_LAW_NEEDS_SURFACE | FENDER_LAW_CONNECTS))
        return refuse(error, FENDER_STATUS_ARGUMENT, law->kinds & ~kinds ? "kinds" : "needs",
                      "the law asks for what this fender does not know", law->name, "kinds and needs of fender/law.h");
    if (law->root_count < 0 || law->root_count > FENDER_LAW_ROOT_CAPACITY || (law->root_count > 0 && !law->roots))
        return refuse(error, FENDER_STATUS_ARGUMENT, "root_count", "the roots of the law are incomplete", law->name,
                      "a roots function, and as many roots as FENDER_LAW_ROOT_CAPACITY at the most");
    if (law->state_count < 0 || law->state_count > FENDER_LAW_STATE_CAPACITY ||
        (law->state_count > 0 && !law->state_rates))
        return refuse(error, FENDER_STATUS_ARGUMENT, "state_count", "the states of the law are incomplete", law->name,
                      "a state_rates function, and as many states as FENDER_LAW_STATE_CAPACITY at the most");
    return check_parameters(law, error);
}
