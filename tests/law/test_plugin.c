/* Plug-ins in memory: versions and sizes, laws of an older fender/law.h, all or none, and how long they are kept. */
/* items: C003 C006 C036 P017 P021 S002 */
#include <fender/plugin.h>

#include "law_test.h"

static void push(const void *parameters, const fender_contact_input *in, const void *memory, fender_contact_output *out)
{
    (void)parameters, (void)memory;
    out->force.z = in->depth > 0 ? 1000 * in->depth : 0;
}

static fender_law law_of(const char *name)
{
    return (fender_law){
        .size = sizeof(fender_law), .kinds = FENDER_LAW_WHOLE, .name = name, .doc = "A spring.", .force = push};
}

static void refused(const fender_plugin *plugin, fender_status status, const char *message, const char *found)
{
    fender_env env = fender_env_default();
    fender_registry *registry = fender_registry_create(&env, NULL);
    fender_error error = {0};
    assert_int_equal(fender_registry_add_plugin(registry, plugin, NULL, NULL, &error), status);
    assert_string_equal(error.message, message);
    assert_string_equal(error.found, found);
    assert_true(error.expected[0] != '\0');
    assert_null(fender_law_find(registry, "first"));
    fender_registry_destroy(registry);
}

static void versions_and_sizes(void **state)
{
    (void)state;
    fender_law first = law_of("first");
    const fender_law *laws[] = {&first, NULL}, *none[] = {NULL};
    const fender_plugin good = {FENDER_PLUGIN_HEAD, "springs", laws, NULL};
    static const char newer[] = "the plug-in was compiled against a newer fender";
    char found[80];
    fender_plugin p = good;
    p.version = 2;
    refused(&p, FENDER_STATUS_ARGUMENT, "the plug-in speaks another version of fender/plugin.h", "version 2");
    uint32_t *const sizes[] = {&p.size,        &p.input_size,     &p.output_size,
                               &p.change_size, &p.stiffness_size, &p.surface_size};
    static const char *const names[] = {"fender_plugin",         "fender_contact_input", "fender_contact_output",
                                        "fender_contact_change", "fender_law_stiffness", "fender_contact_surface"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        p = good;
        *sizes[i] += 8;
        snprintf(found, sizeof found, "a %s of %u bytes", names[i], (unsigned)*sizes[i]);
        refused(&p, FENDER_STATUS_ARGUMENT, newer, found);
    }
    p = good;
    p.size -= 16;
    refused(&p, FENDER_STATUS_ARGUMENT, "the plug-in is incomplete", "a struct cut short");
    p = good;
    p.name = NULL;
    refused(&p, FENDER_STATUS_ARGUMENT, "the plug-in is incomplete", "");
    p = good;
    p.laws = none;
    refused(&p, FENDER_STATUS_ARGUMENT, "the plug-in is incomplete", "");
    p = good;
    p.change_size = p.input_size = 8; /* of an older fender */
    fender_env env = fender_env_default();
    fender_registry *registry = fender_registry_create(&env, NULL);
    check_ok(fender_registry_add_plugin(registry, &p, NULL, NULL, &error));
    assert_ptr_equal(fender_law_find(registry, "first"), &first);
    fender_registry_destroy(registry);
}

/* Nothing of a plug-in stays behind whose second law is refused. */
static void all_or_none(void **state)
{
    (void)state;
    fender_law first = law_of("first"), second = law_of("second"), huge = law_of("second");
    const fender_law *laws[] = {&first, &second, NULL};
    const fender_plugin plugin = {FENDER_PLUGIN_HEAD, "springs", laws, NULL};
    second.force = NULL;
    refused(&plugin, FENDER_STATUS_ARGUMENT, "the law is incomplete", "second");
    second = law_of("coulomb");
    refused(&plugin, FENDER_STATUS_NAME, "a law of that name exists", "coulomb");
    second = law_of("first");
    refused(&plugin, FENDER_STATUS_NAME, "a law of that name exists", "first");
    second = law_of("a b");
    refused(&plugin, FENDER_STATUS_NAME, "a law needs a name", "a b");
    second = law_of("second");
    second.doc = NULL;
    refused(&plugin, FENDER_STATUS_ARGUMENT, "the law is incomplete", "second");
    second = law_of("second");
    second.needs = 1u << 31;
    refused(&plugin, FENDER_STATUS_ARGUMENT, "the law asks for what this fender does not know", "second");
    second = law_of("second");
    second.kinds |= 1u << 31;
    refused(&plugin, FENDER_STATUS_ARGUMENT, "the law asks for what this fender does not know", "second");
    huge.size += 8;
    second = huge;
    char found[64];
    snprintf(found, sizeof found, "a fender_law of %u bytes", (unsigned)huge.size);
    refused(&plugin, FENDER_STATUS_ARGUMENT, "the law was compiled against a newer fender/law.h", found);
    second.size = 16;
    refused(&plugin, FENDER_STATUS_ARGUMENT, "the size of the law is not that of a fender_law",
            "a fender_law of 16 bytes");
}

typedef struct one_number {
    double a;
} one_number;

static void fields(void **state)
{
    (void)state;
    static const char message[] = "a field of the law's parameters is incomplete";
    fender_field field = {"a", "N", "A force.", FENDER_FIELD_REAL, 0, 0, 0, INFINITY, 0, NULL}, two[2] = {field, field};
    fender_law first = law_of("first");
    const fender_law *laws[] = {&first, NULL};
    const fender_plugin plugin = {FENDER_PLUGIN_HEAD, "springs", laws, NULL};
    first.parameters = (fender_field_table){"first", &field, 1, sizeof field, sizeof(one_number)};
    const fender_field good = field;
    field.unit = NULL;
    refused(&plugin, FENDER_STATUS_ARGUMENT, message, "a");
    field = good;
    field.doc = NULL;
    refused(&plugin, FENDER_STATUS_ARGUMENT, message, "a");
    field = good;
    field.offset = 8;
    refused(&plugin, FENDER_STATUS_ARGUMENT, message, "a");
    field = good;
    field.type = FENDER_FIELD_VEC2;
    refused(&plugin, FENDER_STATUS_ARGUMENT, message, "a");
    field.type = FENDER_FIELD_ENUM;
    refused(&plugin, FENDER_STATUS_ARGUMENT, message, "a");
    field.type = (fender_field_type)99;
    refused(&plugin, FENDER_STATUS_ARGUMENT, message, "a");
    field = good;
    field.name = NULL;
    refused(&plugin, FENDER_STATUS_ARGUMENT, message, "first");
    first.parameters = (fender_field_table){"first", two, 2, sizeof field, sizeof(one_number)};
    refused(&plugin, FENDER_STATUS_NAME, "two parameters of the law have one name", "a");
    first.parameters.field_size = 8;
    refused(&plugin, FENDER_STATUS_ARGUMENT, "the parameter table is incomplete", "first");
}

/* What lies behind the end of an older law is not its own. */
static void older_law(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_registry *registry = fender_registry_create(&env, NULL);
    fender_law old = law_of("old");
    old.size = offsetof(fender_law, stretch);
    memset((char *)&old + old.size, 0xA5, sizeof old - old.size);
    check_ok(fender_registry_add_law(registry, &old, &error));
    const fender_law *law = fender_law_find(registry, "old");
    assert_ptr_not_equal(law, &old);
    assert_int_equal(law->size, sizeof(fender_law));
    assert_true(law->force == push && law->state_count == 0);
    assert_null(law->stretch);
    assert_null(law->derivations);
    static const char zero[sizeof(fender_law)];
    assert_memory_equal((const char *)law + old.size, zero, sizeof old - old.size);
    fender_registry_destroy(registry);
}

static void note_release(void *handle) { ++*(int *)handle; }

/* A plug-in is let go of with the last who holds its registry: an extension, a world. */
static void kept_while_used(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_law first = law_of("first"), more = law_of("more"), bad = law_of("coulomb");
    const fender_law *laws[] = {&first, NULL}, *bad_laws[] = {&bad, NULL};
    const fender_plugin plugin = {FENDER_PLUGIN_HEAD, "springs", laws, NULL},
                        refused_one = {FENDER_PLUGIN_HEAD, "bad", bad_laws, NULL};
    int released = 0, never = 0;
    fender_registry *registry = fender_registry_create(&env, NULL);
    check_ok(fender_registry_add_plugin(registry, &plugin, &released, note_release, &error));
    assert_int_equal(fender_registry_add_plugin(registry, &refused_one, &never, note_release, NULL),
                     FENDER_STATUS_NAME);
    fender_registry *wider = fender_registry_extend(&env, registry, NULL);
    check_ok(fender_registry_add_law(wider, &more, &error));
    int built_in = 0;
    while (fender_law_at(NULL, built_in)) built_in++;
    assert_ptr_equal(fender_law_at(wider, built_in), &first);
    assert_ptr_equal(fender_law_at(wider, built_in + 1), &more);
    assert_null(fender_law_at(wider, built_in + 2));
    assert_ptr_equal(fender_law_find(wider, "first"), &first);
    assert_null(fender_law_find(registry, "more"));
    assert_int_equal(fender_registry_add_law(wider, &first, NULL), FENDER_STATUS_NAME);
    fender_world_def def = fender_world_def_default();
    def.registry = wider;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    fender_registry_destroy(registry);
    fender_registry_destroy(wider);
    assert_int_equal(released, 0);
    fender_world_destroy(world);
    assert_int_equal(released, 1);
    assert_int_equal(never, 0);
}

/* ---- kinds of geometries */

static fender_box box_of_data(const void *data)
{
    double a = *(const double *)data;
    return (fender_box){{-a, -a, -a}, {a, a, a}};
}
static double distance_of_ball(const void *data, fender_vec3 p, fender_vec3 *outward)
{
    double r = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    *outward = r > 0 ? (fender_vec3){p.x / r, p.y / r, p.z / r} : (fender_vec3){0, 0, 1};
    return r - *(const double *)data;
}
static const fender_field ball_fields[] = {
    {"a", "m", "Radius.", FENDER_FIELD_REAL, 0, FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL}};

/* Refused with what was found; nothing of the plug-in stays. */
static void kind_refused(const fender_geometry_kind *kind, fender_status status, const char *message, const char *found)
{
    const fender_law first = law_of("first");
    const fender_law *laws[] = {&first, NULL};
    const fender_geometry_class type = {
        .size = sizeof type, .name = "ball", .bounds = box_of_data, .signed_distance = distance_of_ball};
    const fender_geometry_kind good = {
        sizeof good, "good", "A ball.", FENDER_FIELD_TABLE("good", ball_fields, one_number), &type, NULL};
    const fender_geometry_kind *kinds[] = {&good, kind, NULL};
    const fender_plugin plugin = {FENDER_PLUGIN_HEAD, "shapes", laws, kinds};
    fender_env env = fender_env_default();
    fender_registry *registry = fender_registry_create(&env, NULL);
    fender_error error = {0};
    assert_int_equal(fender_registry_add_plugin(registry, &plugin, NULL, NULL, &error), status);
    assert_string_equal(error.message, message);
    assert_string_equal(error.found, found);
    assert_true(error.expected[0] != '\0');
    assert_null(fender_law_find(registry, "first"));
    assert_null(fender_geometry_kind_find(registry, "good"));
    assert_null(fender_geometry_kind_at(registry, 0));
    fender_registry_destroy(registry);
}

static void geometries(void **state)
{
    (void)state;
    fender_geometry_class type = {
        .size = sizeof type, .name = "ball", .bounds = box_of_data, .signed_distance = distance_of_ball};
    const fender_geometry_kind good = {
        sizeof good, "ball", "A ball.", FENDER_FIELD_TABLE("ball", ball_fields, one_number), &type, NULL};
    fender_geometry_kind kind = good;
    static const char incomplete[] = "the geometry is incomplete";
    char found[64];
    kind.name = "a b";
    kind_refused(&kind, FENDER_STATUS_NAME, "a geometry needs a name", "a b");
    kind = good, kind.name = "good";
    kind_refused(&kind, FENDER_STATUS_NAME, "a geometry of that name exists", "good");
    kind = good, kind.doc = NULL;
    kind_refused(&kind, FENDER_STATUS_ARGUMENT, incomplete, "ball");
    kind = good, kind.type = NULL;
    kind_refused(&kind, FENDER_STATUS_ARGUMENT, incomplete, "ball");
    kind = good, kind.size += 8;
    snprintf(found, sizeof found, "a fender_geometry_kind of %u bytes", (unsigned)kind.size);
    kind_refused(&kind, FENDER_STATUS_ARGUMENT, "the geometry was compiled against a newer fender", found);
    kind = good, type.size -= 8;
    snprintf(found, sizeof found, "a fender_geometry_class of %u bytes", (unsigned)type.size);
    kind_refused(&kind, FENDER_STATUS_ARGUMENT, "the size of a struct of the geometry is not that of its type", found);
    type.size += 8, type.bounds = NULL;
    kind_refused(&kind, FENDER_STATUS_ARGUMENT, incomplete, "ball");
    type.bounds = box_of_data, type.signed_distance = NULL;
    kind_refused(&kind, FENDER_STATUS_ARGUMENT, incomplete, "ball");
    type.signed_distance = distance_of_ball;
    kind.parameters.size = 4; /* the field lies outside */
    kind_refused(&kind, FENDER_STATUS_ARGUMENT, "a field of the geometry's parameters is incomplete", "a");

    fender_env env = fender_env_default();
    fender_registry *base = fender_registry_create(&env, NULL), *own;
    const fender_geometry_kind *kinds[] = {&good, NULL};
    const fender_plugin plugin = {FENDER_PLUGIN_HEAD, "shapes", NULL, kinds};
    fender_plugin older = plugin; /* of the first fender/plugin.h, which ended before its geometries */
    older.size -= (uint32_t)sizeof older.geometries;
    assert_int_equal(fender_registry_add_plugin(base, &older, NULL, NULL, NULL), FENDER_STATUS_ARGUMENT);
    check_ok(fender_registry_add_plugin(base, &plugin, NULL, NULL, &error));
    own = fender_registry_extend(&env, base, NULL);
    kind = good, kind.name = "other";
    check_ok(fender_registry_add_geometry(own, &kind, &error));
    assert_ptr_equal(fender_geometry_kind_find(own, "ball"), &good); /* the base's come first */
    assert_ptr_equal(fender_geometry_kind_at(own, 0), &good);
    assert_ptr_equal(fender_geometry_kind_at(own, 1), &kind);
    assert_null(fender_geometry_kind_at(own, 2));
    assert_null(fender_geometry_kind_find(base, "other"));
    assert_null(fender_geometry_kind_find(NULL, "ball"));
    fender_registry_destroy(own);
    fender_registry_destroy(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_and_sizes), cmocka_unit_test(all_or_none),     cmocka_unit_test(fields),
        cmocka_unit_test(older_law),          cmocka_unit_test(kept_while_used), cmocka_unit_test(geometries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
