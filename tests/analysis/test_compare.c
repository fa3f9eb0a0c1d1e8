/* Comparing of recordings: closed forms of differences and of interpolation, units, tolerances, maps, rows left alone.
 */
#include "tables/recording_files.h"

#include "analysis/comparison.h"

typedef struct pairing {
    fender_recording a, b;
    fender_comparison_def def;
    fender_comparison found;
    fender_error error;
    fender_status status;
} pairing;

static void begin(pairing *p, const char *a, const char *b)
{
    memset(p, 0, sizeof *p);
    write_text("a.csv", a);
    write_text("b.csv", b);
    p->a = open_recorded("a.csv");
    p->b = open_recorded("b.csv");
    p->def = (fender_comparison_def){.a = &p->a, .b = &p->b, .from = -INFINITY, .until = INFINITY};
}

static void compare(pairing *p)
{
    fender_env env = fender_env_default();
    p->status = fender_compare(&p->found, &env, &p->def, &p->error);
}

static void end(pairing *p)
{
    fender_comparison_close(&p->found);
    fender_recording_close(&p->a);
    fender_recording_close(&p->b);
}

static void run(pairing *p, const char *a, const char *b)
{
    begin(p, a, b);
    compare(p);
    if (p->status) fail_msg("%s; %s", p->error.message, p->error.suggestion);
}

/* ---- differences */

static void differences_by_hand(void **state)
{
    pairing p;
    (void)state;
    run(&p, "time,x\n0,1\n1,2\n2,-8\n", "time,x\n0,1\n1,2.5\n2,-9\n");
    const fender_compared_channel *c = &p.found.items[0];
    assert_true(c->largest == 1 && c->time == 2 && c->value_a == -8 && c->value_b == -9);
    check_near(c->rms, sqrt((0.25 + 1) / 3), 1e-15);
    assert_false(c->same || p.found.same);
    end(&p);
    /* tolerance: absolute plus a part of the largest magnitude, 8; the bound itself is allowed */
    const fender_tolerance kept[] = {{"0.5", false}, {"0.0625", true}},
                           missed[] = {{"0.4375", false}, {"0.0625", true}};
    const fender_tolerance later[] = {{"0", false}, {"*=5", false}, {"y=0", false}};
    const fender_tolerance *tolerances[] = {kept, missed, later};
    for (int i = 0; i < 3; i++) {
        begin(&p, "time,x\n0,1\n1,2\n2,-8\n", "time,x\n0,1\n1,2.5\n2,-9\n");
        p.def.tolerances = tolerances[i];
        p.def.tolerance_count = i == 2 ? 3 : 2;
        compare(&p);
        assert_int_equal(p.status, FENDER_STATUS_OK);
        assert_int_equal(p.found.same, i != 1);
        end(&p);
    }
    run(&p, "t,x,y,z\n0,nan,inf,nan\n", "t,x,y,z\n0,nan,inf,1\n");
    assert_true(p.found.items[0].same && p.found.items[1].same && !p.found.items[2].same);
    assert_true(isinf(p.found.items[2].largest));
    end(&p);
}

/* B = sin(w t) sampled with step h, A at the middles: a chord is off by at most (w h)^2 / 8, and at the crest, which is
 * a middle here, by 1 - cos(w h / 2). The crest is the worst of all middles. */
static void interpolation_of_a_sine(void **state)
{
    static char a[1 << 16], b[1 << 16];
    const double h = 0.02;
    char *to_a = a + sprintf(a, "time [s],x [m]\n"), *to_b = b + sprintf(b, "time [s],x [m]\n");
    pairing p;
    (void)state;
    for (int i = -100; i <= 100; i++) {
        double time = (i + 0.5) * h;
        to_b += sprintf(to_b, "%.17g,%.17g\n", i * h, cos(i * h - 0.5 * h));
        if (i < 100) to_a += sprintf(to_a, "%.17g,%.17g\n", time, cos(time - 0.5 * h));
    }
    run(&p, a, b);
    const fender_compared_channel *c = &p.found.items[0];
    assert_int_equal(c->rows, 200);
    check_near(c->largest, 1 - cos(h / 2), 1e-15);
    check_near(c->time, 0.5 * h, 1e-15);
    check_below(c->largest, h * h / 8);
    end(&p);
}

/* Two rows of one time, before and after a jump, belong to the first and the second of B. */
static void jumps(void **state)
{
    pairing p;
    (void)state;
    run(&p, "t,x\n0,0\n1,1\n1,5\n2,6\n", "t,x\n0,0\n0.5,0.5\n1,1\n1,5\n2,6\n");
    assert_true(p.found.same);
    assert_int_equal(p.found.items[0].rows, 4);
    end(&p);
}

static void rows_left_alone(void **state)
{
    static const char a[] = "t,x\n0,0\n1,1\n2,2\n3,3\n", b[] = "t,x\n0,0\n1.5,1.5\n2,2\n";
    pairing p;
    (void)state;
    run(&p, a, b);
    assert_int_equal(p.found.items[0].rows, 3);
    assert_int_equal(p.found.items[0].alone_a, 1);
    assert_true(p.found.items[0].largest == 0 && !p.found.same);
    end(&p);
    begin(&p, a, b);
    p.def.until = 2;
    compare(&p);
    assert_true(p.found.same);
    end(&p);
    begin(&p, "t,x\n0,0\n5.6000000000000005,1\n", "t,x\n0,0\n5.6,2\n"); /* an end is not lost by rounding */
    p.def.until = 5.6;
    compare(&p);
    assert_int_equal(p.found.items[0].rows, 2);
    end(&p);
    begin(&p, a, b);
    p.def.exact = true;
    compare(&p);
    assert_int_equal(p.found.items[0].rows, 2);
    assert_int_equal(p.found.items[0].alone_a, 2);
    assert_int_equal(p.found.items[0].alone_b, 1);
    assert_false(p.found.same);
    end(&p);
    run(&p, "t,x\n0,1\n", "t,x\n5,1\n"); /* nothing was compared: that is not the same */
    assert_false(p.found.same);
    end(&p);
}

/* ---- units */

static void units_are_converted(void **state)
{
    pairing p;
    const fender_tolerance tolerance[] = {{"1e-15", true}};
    (void)state;
    begin(&p, "time [s],x [m],angle [rad],T [degC],plain\n0,0.3048,3.141592653589793,0,1\n1,1,0,100,2\n",
          "time [ms],x {ft},angle {d},T [K],plain [m]\n0,1,180,273.15,1\n1000,3.280839895013123,0,373.15,2\n");
    p.def.tolerances = tolerance;
    p.def.tolerance_count = 1;
    compare(&p);
    assert_int_equal(p.status, FENDER_STATUS_OK);
    assert_int_equal(p.found.count, 4);
    for (int i = 0; i < 4; i++)
        if (!p.found.items[i].same) print_message("%s: %g\n", p.found.items[i].a->name, p.found.items[i].largest);
    assert_true(p.found.items[0].same && p.found.items[1].same && p.found.items[3].same);
    check_below(p.found.items[2].largest, 1e-13);
    end(&p);
    begin(&p, "t,x [m]\n0,1\n", "t,x [m]\n0,1.0009765625\n");
    const fender_tolerance units[] = {{"x=1 mm", false}};
    p.def.tolerances = units;
    p.def.tolerance_count = 1;
    compare(&p);
    assert_true(p.found.same);
    check_near(p.found.items[0].allowed, 1e-3, 1e-18);
    end(&p);
}

static void check_refused(pairing *p, fender_status status, const char *words, const char *more)
{
    compare(p);
    if (p->status != status || !strstr(p->error.message, words) || !strstr(p->error.message, more))
        fail_msg("status %d: %s", (int)p->status, p->error.message);
    assert_true(p->error.expected[0] && p->error.suggestion[0]);
    end(p);
}

static void what_cannot_be_compared(void **state)
{
    pairing p;
    const fender_tolerance negative[] = {{"-1", false}}, unit[] = {{"1 N", false}}, relative[] = {{"x=1 m", true}};
    const char *const unknown[] = {"xx"}, *const map[] = {"y=z"}, *const no_map[] = {"x"};
    (void)state;
    begin(&p, "t,x [m]\n0,1\n", "t,x [N]\n0,1\n");
    check_refused(&p, FENDER_STATUS_UNIT, "[m]", "[N]");
    begin(&p, "t,x [rad]\n0,1\n", "t,x [m]\n0,1\n");
    check_refused(&p, FENDER_STATUS_UNIT, "[rad] in a.csv", "[m] in b.csv");
    begin(&p, "t,x [furlong]\n0,1\n", "t,x [m]\n0,1\n");
    check_refused(&p, FENDER_STATUS_UNIT, "[furlong]", "[m]");
    begin(&p, "t [s],x\n0,1\n", "t [m],x\n0,1\n");
    check_refused(&p, FENDER_STATUS_UNIT, "'t'", "[m]");
    begin(&p, "t,x\n0,1\n", "t,y\n0,1\n");
    check_refused(&p, FENDER_STATUS_NAME, "a.csv", "no channel in common");
    begin(&p, "t,x\n0,1\n1,1\n0.5,1\n", "t,x\n0,1\n");
    check_refused(&p, FENDER_STATUS_VALUE, "goes back", "row 3");
    begin(&p, "t,x\n0,1\n", "t,x\n0,1\nnan,1\n");
    check_refused(&p, FENDER_STATUS_VALUE, "no time", "row 2");
    for (int i = 0; i < 3; i++) {
        begin(&p, "t,x [m]\n0,1\n", "t,x [m]\n0,1\n");
        p.def.tolerances = i == 0 ? negative : i == 1 ? unit : relative;
        p.def.tolerance_count = 1;
        check_refused(&p, FENDER_STATUS_VALUE, "not a tolerance", "");
    }
    begin(&p, "t,x\n0,1\n", "t,x\n0,1\n");
    p.def.channels = unknown;
    p.def.channel_count = 1;
    check_refused(&p, FENDER_STATUS_NAME, "no channel is named 'xx'", "");
    for (int i = 0; i < 2; i++) {
        begin(&p, "t,x\n0,1\n", "t,x\n0,1\n");
        p.def.maps = i == 0 ? map : no_map;
        p.def.map_count = 1;
        check_refused(&p, FENDER_STATUS_NAME, i == 0 ? "'y=z' matches no channel" : "'x' is not a map", "");
    }
}

/* ---- names */

static void maps(void **state)
{
    char to[32];
    (void)state;
    assert_true(fnd_map_name("a=b", "a", to, sizeof to));
    assert_string_equal(to, "b");
    assert_true(fnd_map_name("bodies.*.pos.*=*.p[*]", "bodies.veh.1.pos.0", to, sizeof to));
    assert_string_equal(to, "veh.1.p[0]");
    assert_false(fnd_map_name("bodies.*=*", "body.x", to, sizeof to));
    assert_false(fnd_map_name("a", "a", to, sizeof to));
    assert_false(fnd_map_name("a=*", "a", to, sizeof to));
    assert_false(fnd_map_name("*=****", "aaaaaaaa", to, sizeof to));
    assert_false(fnd_map_name("*=**************", "aaa", to, 8));
    assert_false(fnd_map_name("*=123*", "45678", to, 8));
    assert_true(fnd_map_name("*=123*", "4567", to, 8));
    assert_false(fnd_map_name("*********=x", "aaaaaaaaaa", to, sizeof to));
}

static void mapped_and_alone(void **state)
{
    const char *const map[] = {"bodies.*.position.x=*.pos[0]"};
    pairing p;
    (void)state;
    begin(&p, "t,bodies.v.position.x [m],only\n0,1,1\n", "sys.exec.out.time {s},v.pos[0] {m},other\n0,1,1\n");
    p.def.maps = map;
    p.def.map_count = 1;
    compare(&p);
    assert_int_equal(p.status, FENDER_STATUS_OK);
    assert_int_equal(p.found.count, 1);
    assert_string_equal(p.found.items[0].b->name, "v.pos[0]");
    assert_int_equal(p.found.only_a_count, 1);
    assert_string_equal(p.found.only_a[0], "only");
    assert_string_equal(p.found.only_b[0], "other");
    assert_true(p.found.same);
    fender_comparison_close(&p.found);
    p.def.all = true;
    compare(&p);
    assert_true(p.found.different == 0 && !p.found.same);
    end(&p);
}

/* ---- lists of contacts, divided */

static void run_lists(pairing *p, const char *a, const char *b, bool quantity)
{
    static const char *const all[] = {"x"};
    begin(p, a, b);
    check_ok(fender_recording_split_contacts(&p->a, &p->error));
    check_ok(fender_recording_split_contacts(&p->b, &p->error));
    p->def.channels = quantity ? all : NULL;
    p->def.channel_count = quantity;
    compare(p);
    if (p->status) fail_msg("%s; %s", p->error.message, p->error.suggestion);
}

#define HEAD "t,contact,x\n"

/* A contact of one list alone is a difference, also without `all`, and where no contact is common. One recording
 * without a list does not tell. */
static void contacts_alone(void **state)
{
    static const struct {
        const char *a, *b;
        int count, only_a, only_b;
        bool same;
    } cases[] = {
        {HEAD "0,a.x:b.y,1\n0,c.z:b.y,5\n", HEAD "0,a.x:b.y,1\n", 1, 1, 0, false},
        {HEAD "0,a.x:b.y,1\n", HEAD "0,a.x:b.y,1\n0,c.z:b.y,5\n", 1, 0, 1, false},
        {HEAD "0,a.x:b.y,1\n", HEAD "0,c.z:b.y,1\n", 0, 1, 1, false},
        {HEAD "0,a.x:b.y,1\n", HEAD, 0, 1, 1, false},
        {HEAD "0,c.z:b.y,5\n0,a.x:b.y,1\n", HEAD "0,a.x:b.y,1\n0,c.z:b.y,5\n", 2, 0, 0, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int quantity = 0; quantity < 2; quantity++) {
            pairing p;
            run_lists(&p, cases[i].a, cases[i].b, quantity);
            assert_int_equal(p.found.count, cases[i].count);
            assert_int_equal(p.found.only_a_count, cases[i].only_a);
            assert_true(quantity == 1 || p.found.only_b_count >= cases[i].only_b);
            assert_int_equal(p.found.different, 0);
            assert_int_equal(p.found.same, cases[i].same);
            end(&p);
        }
}

/* Rows of a contact pair by their times. A row of A or B that the other does not have is a difference, whether another
 * contact tells the time of the lapse or none does; the rows that mark lapses are none, so that a contact is the same
 * although its list has times of further contacts. */
static void contacts_that_lapse(void **state)
{
    static const struct {
        const char *a, *b;
        size_t rows, alone_a, alone_b;
    } cases[] = {
        {HEAD "0,a.x:b.y,1\n1,a.x:b.y,2\n2,a.x:b.y,3\n", HEAD "0,a.x:b.y,1\n2,a.x:b.y,3\n", 2, 1, 0},
        {HEAD "0,a.x:b.y,1\n2,a.x:b.y,3\n", HEAD "0,a.x:b.y,1\n1,a.x:b.y,2\n2,a.x:b.y,3\n", 2, 0, 1},
        {HEAD "0,a.x:b.y,1\n1,c.z:b.y,8\n2,a.x:b.y,3\n", HEAD "0,a.x:b.y,1\n1,a.x:b.y,2\n1,c.z:b.y,8\n2,a.x:b.y,3\n", 2,
         0, 1},
        {HEAD "0,a.x:b.y,1\n1,a.x:b.y,2\n1,c.z:b.y,8\n2,a.x:b.y,3\n", HEAD "0,a.x:b.y,1\n1,c.z:b.y,8\n2,a.x:b.y,3\n", 2,
         1, 0},
        {HEAD "0,a.x:b.y,1\n2,a.x:b.y,3\n1e3,c.z:b.y,8\n", HEAD "0,a.x:b.y,1\n1,c.z:b.y,8\n2,a.x:b.y,3\n", 2, 0, 0},
        {HEAD "0,a.x:b.y,1\n1,c.z:b.y,8\n2,a.x:b.y,3\n", HEAD "0,a.x:b.y,1\n2,a.x:b.y,3\n1e3,c.z:b.y,8\n", 2, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pairing p;
        run_lists(&p, cases[i].a, cases[i].b, true);
        const fender_compared_channel *c = &p.found.items[0];
        print_message("%zu\n", i);
        assert_string_equal(c->a->name, "a.x:b.y.x");
        assert_int_equal(c->rows, cases[i].rows);
        assert_int_equal(c->alone_a, cases[i].alone_a);
        assert_int_equal(c->alone_b, cases[i].alone_b);
        assert_true(c->largest == 0);
        assert_int_equal(c->same, cases[i].alone_a + cases[i].alone_b == 0);
        end(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_by_hand),
        cmocka_unit_test(interpolation_of_a_sine),
        cmocka_unit_test(jumps),
        cmocka_unit_test(rows_left_alone),
        cmocka_unit_test(units_are_converted),
        cmocka_unit_test(what_cannot_be_compared),
        cmocka_unit_test(maps),
        cmocka_unit_test(mapped_and_alone),
        cmocka_unit_test(contacts_alone),
        cmocka_unit_test(contacts_that_lapse),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
