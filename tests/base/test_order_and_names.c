/* Sorting, the name index, field tables: the small machinery below everything. */
#include "base/hash.h"
#include "base/memory.h"
#include "base/name_index.h"
#include "check.h"
#include "random_numbers.h"
#include <stdlib.h>
#include <string.h>

/* ---- sort ---- */

static void sort_by_real(void **state)
{
    (void)state;
    fnd_sort_real items[300], scratch[300];
    for (uint64_t n = 0; n < 3000; n++) {
        random_stream r = random_of_case(81, n);
        int count = random_below(&r, 300), kinds = 1 + random_below(&r, 300);
        for (int i = 0; i < count; i++) items[i] = (fnd_sort_real){random_below(&r, kinds) - 7, (uint32_t)i};
        if (n % 3 == 0) /* nearly sorted, as boxes are from step to step */
            for (int i = 0; i < count; i++) items[i].key = i + random_below(&r, 2);
        fnd_sort_by_real(items, scratch, count);
        bool seen[300] = {false};
        for (int i = 0; i < count; i++) {
            assert_false(seen[items[i].index]);
            seen[items[i].index] = true;
            if (i == 0) continue;
            assert_true(items[i - 1].key <= items[i].key);
            if (items[i - 1].key == items[i].key) assert_true(items[i - 1].index < items[i].index); /* stable */
        }
    }
}

static void sort_by_key(void **state)
{
    (void)state;
    uint64_t items[300], scratch[300];
    for (uint64_t n = 0; n < 1000; n++) {
        random_stream r = random_of_case(82, n);
        int count = random_below(&r, 300);
        uint64_t sum = 0;
        for (int i = 0; i < count; i++) sum += items[i] = random_bits(&r) >> random_below(&r, 64);
        fnd_sort_by_key(items, scratch, count);
        for (int i = 0; i < count; i++) {
            sum -= items[i];
            assert_true(i == 0 || items[i - 1] <= items[i]);
        }
        assert_true(sum == 0);
    }
}

/* ---- names ---- */

static void names(void **state)
{
    (void)state;
    static const char *const good[] = {"a", "_", "veh1", "A_b_9", "_0"};
    static const char *const bad[] = {"", "1a", "a b", "a.b", "a-b", "\xc3\xa4", "a\n"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) assert_true(fnd_name_valid(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_false(fnd_name_valid(bad[i]));
    assert_false(fnd_name_valid(NULL));
    char longest[102];
    memset(longest, 'x', sizeof longest);
    longest[100] = 0;
    assert_true(fnd_name_valid(longest));
    longest[100] = 'x', longest[101] = 0;
    assert_false(fnd_name_valid(longest));

    enum { COUNT = 5000 };
    fender_env env = fender_env_default();
    fnd_name_index index = {0};
    char(*texts)[16] = calloc(COUNT, sizeof *texts);
    assert_non_null(texts);
    assert_int_equal(fnd_name_find(&index, 0, "none"), -1);
    for (int i = 0; i < COUNT; i++) {
        snprintf(texts[i], sizeof texts[i], "n%d", i / 2); /* each name in two scopes */
        assert_int_equal(fnd_name_find(&index, (uint32_t)(i % 2), texts[i]), -1);
        assert_true(fnd_name_add(&env, &index, (uint32_t)(i % 2), texts[i], i));
    }
    for (int i = 0; i < COUNT; i++) assert_int_equal(fnd_name_find(&index, (uint32_t)(i % 2), texts[i]), i);
    assert_int_equal(fnd_name_find(&index, 2, "n0"), -1);
    assert_int_equal(fnd_name_find(&index, 0, "n2500"), -1);
    assert_int_equal(fnd_name_find(&index, 0, NULL), -1);
    fnd_name_index_release(&env, &index);
    free(texts);
}

static void hash(void **state)
{
    (void)state;
    /* published values of 64-bit FNV-1a */
    assert_true(fnd_hash_bytes(FND_HASH_START, "", 0) == 0xcbf29ce484222325u);
    assert_true(fnd_hash_bytes(FND_HASH_START, "a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(fnd_hash_bytes(FND_HASH_START, "foobar", 6) == 0x85944171f73967e8u);
    assert_true(fnd_hash_double(1, 1.0) != fnd_hash_double(1, nextafter(1.0, 2)));
    assert_true(fnd_hash_double(1, 0.0) != fnd_hash_double(1, -0.0));
}

/* ---- field tables ---- */

typedef struct object {
    bool flag;
    int count, choice;
    double real, limit;
    fender_vec2 two;
    fender_vec3 three;
    fender_quaternion four;
    fender_mat3 nine;
} object;

static const char *const colours[] = {"red", "green", "blue", NULL};
#define ANY -INFINITY, INFINITY
static const fender_field fields[] = {
    {"flag", "1", "", FENDER_FIELD_BOOL, offsetof(object, flag), 0, ANY, 1, NULL},
    {"count", "1", "", FENDER_FIELD_INT, offsetof(object, count), 0, 0, 10, 3, NULL},
    {"choice", "1", "", FENDER_FIELD_ENUM, offsetof(object, choice), 0, 0, 2, 1, colours},
    {"real", "kg", "", FENDER_FIELD_REAL, offsetof(object, real), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 2.5, NULL},
    {"limit", "N", "", FENDER_FIELD_REAL, offsetof(object, limit), FENDER_FIELD_NONE_ALLOWED, 0, 100, INFINITY, NULL},
    {"two", "m", "", FENDER_FIELD_VEC2, offsetof(object, two), 0, ANY, 0, NULL},
    {"three", "m", "", FENDER_FIELD_VEC3, offsetof(object, three), 0, -1, 1, 0, NULL},
    {"four", "1", "", FENDER_FIELD_QUATERNION, offsetof(object, four), 0, ANY, 0, NULL},
    {"nine", "kg*m^2", "", FENDER_FIELD_MATRIX3, offsetof(object, nine), 0, ANY, 0, NULL},
};
static const fender_field_table table = FENDER_FIELD_TABLE("object", fields, object);

static void field_access(void **state)
{
    (void)state;
    static const int counts[] = {1, 1, 1, 1, 1, 2, 3, 4, 9};
    object o;
    memset(&o, 0xff, sizeof o);
    (void)fender_field_initialize(&table, &o, sizeof o, NULL);
    assert_true(o.flag && o.count == 3 && o.choice == 1 && o.real == 2.5 && isinf(o.limit));
    check_ok(fender_field_check(&table, &o, &error));
    double next = 0.001;
    for (int i = 0; i < table.count; i++) {
        const fender_field *f = fender_field_at(&table, i);
        assert_ptr_equal(f, &fields[i]);
        assert_ptr_equal(fender_field_find(&table, f->name), f);
        assert_int_equal(fender_field_component_count(f), counts[i]);
        for (int c = 0; c < counts[i]; c++) {
            double value = f->type == FENDER_FIELD_REAL || counts[i] > 1 ? (next += 0.01) : (double)(i > 0);
            fender_field_set(f, &o, c, value);
            check_near(fender_field_get(f, &o, c), value, 0);
        }
        assert_string_equal(fender_field_component_name(f, -1), "");
        assert_string_equal(fender_field_component_name(f, counts[i]), "");
    }
    check_near(o.three.z, fender_field_get(&fields[6], &o, 2), 0);
    check_near(o.nine.m[1][2], fender_field_get(&fields[8], &o, 5), 0);
    check_near(o.four.w, fender_field_get(&fields[7], &o, 0), 0);
    assert_string_equal(fender_field_component_name(&fields[6], 1), ".y");
    assert_string_equal(fender_field_component_name(&fields[7], 0), ".w");
    assert_string_equal(fender_field_component_name(&fields[8], 5), "[1][2]");
    assert_string_equal(fender_field_component_name(&fields[3], 0), "");
    assert_null(fender_field_at(&table, table.count));
    assert_null(fender_field_at(&table, -1));
    assert_null(fender_field_find(&table, "none"));
    check_ok(fender_field_check(&table, &o, &error));
}

/* An object that is smaller than its table says is left alone. */
static void too_small_an_object(void **state)
{
    (void)state;
    unsigned char bytes[sizeof(object)];
    fender_error fault = {0};
    memset(bytes, 7, sizeof bytes);
    assert_int_equal(fender_field_initialize(&table, bytes, sizeof bytes - 1, &fault), FENDER_STATUS_ARGUMENT);
    assert_string_equal(fault.path, "size");
    for (size_t i = 0; i < sizeof bytes; i++) assert_int_equal(bytes[i], 7);
}

static void refuse(int field, int component, double value)
{
    object o;
    (void)fender_field_initialize(&table, &o, sizeof o, NULL);
    fender_field_set(&fields[field], &o, component, value);
    fender_error error = {0};
    assert_int_equal(fender_field_check(&table, &o, &error), FENDER_STATUS_VALUE);
    assert_string_equal(error.path, fields[field].name);
    assert_true(strlen(error.message) > 0 && strlen(error.found) > 0 && strlen(error.expected) > 0);
}

static void field_ranges(void **state)
{
    (void)state;
    refuse(1, 0, -1);
    refuse(1, 0, 11);
    refuse(2, 0, 3);
    refuse(2, 0, -1);
    refuse(3, 0, 0); /* the minimum itself */
    refuse(3, 0, NAN);
    refuse(3, 0, INFINITY);
    refuse(4, 0, 101);
    refuse(4, 0, NAN);
    refuse(5, 1, -INFINITY);
    refuse(6, 2, 1.0000001);
    refuse(7, 3, NAN);
    refuse(8, 8, INFINITY);
}

/* The published tables describe their structs: every member of the wanted names is there, with a unit and a sentence.
 */
static void published_tables(void **state)
{
    (void)state;
    const fender_field_table *tables[] = {fender_body_fields(), fender_contact_fields(), fender_ledger_fields()};
    static const size_t sizes[] = {sizeof(fender_body_data), sizeof(fender_contact_data), sizeof(fender_ledger)};
    for (int t = 0; t < 3; t++) {
        assert_int_equal(tables[t]->size, sizes[t]);
        for (int i = 0; i < tables[t]->count; i++) {
            const fender_field *f = fender_field_at(tables[t], i);
            assert_true(strlen(f->doc) > 4 && f->doc[strlen(f->doc) - 1] == '.' && strlen(f->unit) > 0);
            assert_true(f->offset < sizes[t]);
            assert_ptr_equal(fender_field_find(tables[t], f->name), f);
            for (int k = 0; k < i; k++) assert_true(fender_field_at(tables[t], k)->offset != f->offset);
        }
    }
    fender_body_data body = {.kinetic_energy = 7};
    check_near(fender_field_get(fender_field_find(fender_body_fields(), "kinetic_energy"), &body, 0), 7, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sort_by_real), cmocka_unit_test(sort_by_key),      cmocka_unit_test(names),
        cmocka_unit_test(hash),         cmocka_unit_test(field_access),     cmocka_unit_test(too_small_an_object),
        cmocka_unit_test(field_ranges), cmocka_unit_test(published_tables),
    };
    return cmocka_run_group_tests_name("sort, names, fields", tests, NULL, NULL);
}
