/* Mutated sample scenarios: whatever the bytes, the reader answers with a scenario or with diagnostics that have
 * places. Meant to run under the address and undefined-behaviour sanitizers. */
#include "collect.h"

#include <time.h>

typedef struct random_source {
    uint64_t state;
} random_source;

static uint32_t draw(random_source *r, uint32_t below)
{
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((r->state >> 33) % below);
}

typedef struct text_buffer {
    char *text;
    size_t length, capacity;
} text_buffer;

static void load_sample(const char *path, text_buffer *b)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    b->capacity = 1 << 16;
    b->text = malloc(b->capacity);
    assert_non_null(b->text);
    b->length = fread(b->text, 1, b->capacity / 2, file);
    fclose(file);
}

static void mutate(random_source *r, text_buffer *b)
{
    static const char *const pieces[] = {
        "[",    "]",   "{",          "}",    ": ",    "- ",           "\n",
        "  ",   "&a ", "*a",         "!!x ", "---\n", "\t",           "\"",
        "'",    "#",   "1e999",      ".nan", "-",     "kN",           "none",
        "true", "0",   "like: veh1", "\xC3", "\xFF",  "\xE2\x80\xA8", "pattern: {count: 3, about: [0,0,1]}",
        ">\n",  "|",   "? ",         ","};
    size_t at = draw(r, (uint32_t)b->length + 1), left = b->length - at, n;
    switch (draw(r, 6)) {
    case 0: /* another byte */
        if (left > 0) b->text[at] = (char)draw(r, 256);
        break;
    case 1: /* a piece goes in */
    case 2: {
        const char *piece = pieces[draw(r, sizeof pieces / sizeof pieces[0])];
        n = strlen(piece);
        if (b->length + n >= b->capacity) break;
        memmove(b->text + at + n, b->text + at, left);
        memcpy(b->text + at, piece, n);
        b->length += n;
        break;
    }
    case 3: /* some bytes go */
        n = draw(r, 12);
        if (n > left) n = left;
        memmove(b->text + at, b->text + at + n, left - n);
        b->length -= n;
        break;
    case 4: /* a stretch is doubled somewhere else */
        n = draw(r, 40);
        if (n > left || b->length + n >= b->capacity) break;
        {
            char copy[40];
            memcpy(copy, b->text + at, n);
            size_t to = draw(r, (uint32_t)b->length + 1);
            memmove(b->text + to + n, b->text + to, b->length - to);
            memcpy(b->text + to, copy, n);
            b->length += n;
        }
        break;
    default: /* the end is cut off */
        if (draw(r, 4) == 0) b->length = at;
    }
}

static void check_answer(const fender_scenario *scenario, const collection *c, const fender_error *error)
{
    if (scenario) {
        assert_int_equal(c->errors, 0);
        return;
    }
    assert_true(c->errors > 0 && error->count == c->errors && error->status != FENDER_STATUS_OK);
    for (int i = 0; i < c->count; i++) {
        const collected *d = &c->list[i];
        assert_true(d->message[0] && d->line >= 1 && d->column >= 1 && d->length >= 1);
        if (i > 0 && strcmp(d->file, c->list[i - 1].file) == 0) assert_true(d->line >= c->list[i - 1].line);
    }
}

static void mutations(void **state)
{
    (void)state;
    static const char *const samples[] = {"two_spheres",      "two_capsules", "off_centre",  "docking",
                                          "spinning_spheres", "capture",      "apollo_stack"};
    const char *wanted = getenv("FENDER_FUZZ_MUTATIONS");
    const int count = wanted ? atoi(wanted) : 30000;
    const time_t limit = time(NULL) + 60;
    random_source r = {20260101};
    int tried = 0, accepted = 0, built = 0;
    static collection c;
    text_buffer original = {0};
    for (; tried < count && time(NULL) < limit; tried++) {
        if (tried % 200 == 0) {
            free(original.text);
            char path[512];
            snprintf(path, sizeof path, FENDER_SOURCE_DIR "/samples/scenarios/%s.yaml", samples[draw(&r, 7)]);
            load_sample(path, &original);
        }
        text_buffer b = original;
        b.text = malloc(b.capacity);
        assert_non_null(b.text);
        memcpy(b.text, original.text, original.length);
        for (uint32_t n = 1 + draw(&r, 4); n > 0; n--) mutate(&r, &b);
        fender_env env = collecting_env(&c);
        fender_error error = {0};
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "fuzz", b.text, b.length, NULL, 0, &error);
        check_answer(scenario, &c, &error);
        if (scenario) {
            accepted++;
            fender_world *world = fender_scenario_build(scenario, &env, &error);
            built += world != NULL;
            if (!world) assert_true(c.errors > 0);
            fender_world_destroy(world);
        }
        fender_scenario_destroy(scenario);
        free(b.text);
    }
    free(original.text);
    printf("%d mutations, %d accepted, %d built\n", tried, accepted, built);
    /* a fuzz that never gets through, or always, would test nothing */
    assert_true(accepted > tried / 100 && accepted < tried - tried / 10);
}

static void mutated_overrides(void **state)
{
    (void)state;
    static const char *const paths[] = {"bodies.a.state.position.x",
                                        "bodies.*.mass_properties.inertia[1][2]",
                                        "run.until",
                                        "rules[0].use",
                                        "bodies.a.state",
                                        "loads.x.force.constant.z"};
    random_source r = {7};
    static collection c;
    for (int i = 0; i < 20000; i++) {
        char path[160], value[160];
        text_buffer p = {path, 0, 100}, v = {value, 0, 100};
        p.length = (size_t)snprintf(path, sizeof path, "%s", paths[draw(&r, 6)]);
        v.length = (size_t)snprintf(value, sizeof value, "[1, 2, 3 m]");
        for (uint32_t n = draw(&r, 4); n > 0; n--) mutate(&r, &p);
        for (uint32_t n = draw(&r, 4); n > 0; n--) mutate(&r, &v);
        path[p.length] = value[v.length] = 0;
        fender_override override = {path, value};
        fender_scenario *scenario = parse_with(BODY_A, &override, 1, &c);
        assert_true(scenario ? c.errors == 0 : c.errors > 0);
        fender_scenario_destroy(scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutations), cmocka_unit_test(mutated_overrides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
