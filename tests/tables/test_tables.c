/* Reading of recordings: forms of CSV, every type of Trick's .trk, what is broken or cut off at any byte. */
#include "recording_files.h"

#include <sys/stat.h>

/* ---- CSV */

static void check_channel(const fender_recording *r, const char *name, const char *unit, size_t count,
                          const double *values)
{
    const fender_recording_channel *channel = fender_recording_find(r, name);
    if (!channel) fail_msg("no channel %s", name);
    assert_string_equal(channel->unit, unit);
    assert_int_equal(channel->table->row_count, count);
    for (size_t i = 0; i < count; i++) {
        double found = channel->table->columns[channel->column].values[i];
        if (isnan(values[i]) ? !isnan(found) : found != values[i])
            fail_msg("%s, row %zu: %.17g, not %.17g", name, i + 1, found, values[i]);
    }
}

static void forms_of_csv(void **state)
{
    static const struct {
        const char *text, *name, *unit;
        double values[2];
    } cases[] = {
        {"time [s],x [m]\n0,1\n1,2\n", "x", "m", {1, 2}},
        {"sys.exec.out.time {s},ball.pos[0] {m}\n0,1\n1,2\n", "ball.pos[0]", "m", {1, 2}},
        {"sys.exec.out.time {s},ball.angle {d},\n0,1,\n1,2,\n", "ball.angle", "deg", {1, 2}},
        {"t,mu {--}\r\n0,0.25\r\n1,-0\r\n", "mu", "", {0.25, -0.0}},
        {"Time (s);Force (N)\n0;1.5e3\n1;2\n", "Force", "N", {1500, 2}},
        {"t\tforce (left)\n0\t1\n1\t2\n", "force (left)", "", {1, 2}},
        {"\xef\xbb\xbf# remark, with comma\n\n\"time [s]\",\"x, \"\"so\"\" called [m]\"\n0,\" 1 \"\n\n1,2",
         "x, \"so\" called",
         "m",
         {1, 2}},
        {"0,1\n1,2\n", "column2", "", {1, 2}},
        {"t,x\n0,inf\n1,-Infinity\n", "x", "", {INFINITY, -INFINITY}},
        {"t,x\n0,\n1,NaN\n", "x", "", {NAN, NAN}},
        {"t,event,x\n0,touch,1\n1,\"a,\nb\",2\n", "x", "", {1, 2}},
        {"t,x,x\n0,1,8\n1,2,9\n", "x", "", {1, 2}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_text("form.csv", cases[i].text);
        fender_recording r = open_recorded("form.csv");
        print_message("%zu: %s\n", i, cases[i].name);
        check_channel(&r, cases[i].name, cases[i].unit, 2, cases[i].values);
        assert_int_equal(r.tables[0].cut, 0);
        fender_recording_close(&r);
    }
}

/* The rows of a list of contacts are those of several: each has its own times and channels. Lists of events and other
 * tables stay. */
static void lists_of_contacts(void **state)
{
    static const char list[] = "time [s],contact,depth [m],normal_force [N]\n"
                               "0,g.p:a.s,1,10\n0,g.p:b.s,2,20\n1,g.p:b.s,3,30\n2,g.p:a.s,4,40\n2,g.p:b.s,5,50\n";
    (void)state;
    write_text("list.csv", list);
    fender_recording r = open_recorded("list.csv");
    assert_int_equal(r.table_count, 1);
    check_channel(&r, "depth", "m", 5, (const double[]){1, 2, 3, 4, 5}); /* as it stands */
    check_ok(fender_recording_split_contacts(&r, &error));
    assert_int_equal(r.table_count, 2);
    assert_int_equal(r.channel_count, 4);
    /* the list has the time 1 without this contact */
    check_channel(&r, "g.p:a.s.depth", "m", 3, (const double[]){1, NAN, 4});
    check_channel(&r, "g.p:b.s.normal_force", "N", 3, (const double[]){20, 30, 50});
    assert_true(fender_recording_times(&r.tables[0])[1] == 1 && fender_recording_times(&r.tables[0])[2] == 2);
    assert_true(fender_recording_times(&r.tables[1])[1] == 1);
    check_ok(fender_recording_split_contacts(&r, &error)); /* again: they stay */
    assert_int_equal(r.table_count, 2);
    assert_null(fender_recording_find(&r, "depth"));
    fender_recording_close(&r);
    write_text("list.csv", "time,event,contact,x\n0,begin,g.p:a.s,1\n1,end,g.p:a.s,2\n");
    r = open_recorded("list.csv");
    check_ok(fender_recording_split_contacts(&r, &error));
    check_channel(&r, "x", "", 2, (const double[]){1, 2});
    fender_recording_close(&r);
    write_text("list.csv", "time,contact\n0,1\n1,0\n"); /* numbers */
    r = open_recorded("list.csv");
    check_ok(fender_recording_split_contacts(&r, &error));
    check_channel(&r, "contact", "", 2, (const double[]){1, 0});
    fender_recording_close(&r);
    assert_true(fender_recording_fits("force", "g.p:a.s.force.x"));
    assert_true(fender_recording_fits("depth", "contacts.g.p:a.s.depth"));
    assert_false(fender_recording_fits("force", "g.p:a.s.normal_force"));
    assert_false(fender_recording_fits("depth", "bodies.a.depth"));
}

/* A lapse is one row, however long it lasts; none is before the first row of a contact or behind its last. A time with
 * several rows of a contact, before and after a jump, has the contact. A row without a name is a time of the list. */
static void lapses(void **state)
{
    static const char list[] = "t,contact,x\n0,g.p:b.s,1\n1,g.p:a.s,2\n1,g.p:b.s,3\n1,g.p:b.s,4\n"
                               "2,g.p:a.s,5\n3,,6\n4,g.p:a.s,7\n5,g.p:b.s,8\n6,,9\n";
    static const double times_a[] = {1, 2, 3, 4}, times_b[] = {0, 1, 1, 2, 5};
    (void)state;
    write_text("list.csv", list);
    fender_recording r = open_recorded("list.csv");
    check_ok(fender_recording_split_contacts(&r, &error));
    check_channel(&r, "g.p:a.s.x", "", 4, (const double[]){2, 5, NAN, 7});
    check_channel(&r, "g.p:b.s.x", "", 5, (const double[]){1, 3, 4, NAN, 8});
    const fender_recording_table *a = fender_recording_find(&r, "g.p:a.s.x")->table;
    const fender_recording_table *b = fender_recording_find(&r, "g.p:b.s.x")->table;
    for (int i = 0; i < 4; i++) assert_true(fender_recording_times(a)[i] == times_a[i]);
    for (int i = 0; i < 5; i++) assert_true(fender_recording_times(b)[i] == times_b[i]);
    fender_recording_close(&r);
}

/* A column `contact` with other words, or without any, is not one of contacts. A row that is cut off does not count. */
static void other_lists(void **state)
{
    static const char *const others[] = {"t,contact,x\n0,yes,1\n1,no,2\n", "t,contact,x\n0,g.p:a.s,1\n1,none,2\n",
                                         "t,contact,x\n0,12:30,1\n1,a:b.c,2\n", "t,contact,x\n0,,1\n1,,2\n",
                                         "t,contact,x\n0,a. b: c.d,1\n1,a.:b.c,2\n"};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        write_text("list.csv", others[i]);
        fender_recording r = open_recorded("list.csv");
        check_ok(fender_recording_split_contacts(&r, &error));
        check_channel(&r, "x", "", 2, (const double[]){1, 2});
        fender_recording_close(&r);
    }
    write_text("list.csv", "t,contact,x\n0,g.p:a.s[12],1\n1,g.p:a.s[12],2\n2,g.p");
    fender_recording r = open_recorded("list.csv");
    check_ok(fender_recording_split_contacts(&r, &error));
    check_channel(&r, "g.p:a.s[12].x", "", 2, (const double[]){1, 2});
    assert_int_equal(r.table_count, 1);
    fender_recording_close(&r);
}

/* Many contacts, none of whose rows stand together: each has its own. More than any limit, in a time like that of
 * reading: looking for each among all others took minutes. */
static void many_contacts(void **state)
{
    enum { COUNT = 20000, TIMES = 4 };
    char *text = malloc((size_t)COUNT * TIMES * 32 + 32), *to = text, name[40];
    (void)state;
    assert_non_null(text);
    to += sprintf(to, "t,contact,x,y\n");
    for (int t = 0; t < TIMES; t++)
        for (int i = 0; i < COUNT; i++) {
            const int k = t % 2 ? COUNT - 1 - i : i; /* in another order every time */
            to += sprintf(to, "%d,g.p:a.s[%d],%d,1\n", t, k, k + t);
        }
    write_text("list.csv", text);
    free(text);
    fender_recording r = open_recorded("list.csv");
    check_ok(fender_recording_split_contacts(&r, &error));
    assert_int_equal(r.table_count, COUNT);
    assert_int_equal(r.channel_count, 2 * COUNT);
    for (int k = 0; k < COUNT; k++) {
        sprintf(name, "g.p:a.s[%d].x", k);
        check_channel(&r, name, "", TIMES, (const double[]){k, k + 1, k + 2, k + 3});
    }
    fender_recording_close(&r);
}

typedef struct bad {
    const char *text;
    fender_status status;
    int line, column;
    const char *words;
} bad;

static void check_bad(const char *name, const bad *b, size_t index)
{
    fender_recording r;
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_status status = fender_recording_open(&r, &env, name, NULL, true, &error);
    fender_recording_close(&r);
    if (status == b->status && error.line == b->line && error.column == b->column && strstr(error.message, b->words) &&
        error.expected[0] && strstr(error.source, name))
        return;
    fail_msg("case %zu: status %d at %d:%d: %s; expected %s", index, (int)status, error.line, error.column,
             error.message, error.expected);
}

static void bad_csv(void **state)
{
    static const bad cases[] = {
        {"", FENDER_STATUS_PARSE, 1, 0, "empty"},
        {"\n\n# nothing\n", FENDER_STATUS_PARSE, 4, 0, "empty"},
        {"t,x\n0,1\n1\n2,3\n", FENDER_STATUS_PARSE, 3, 0, "cells: 1"},
        {"t,x\n0,1\n1,2,3\n", FENDER_STATUS_PARSE, 3, 0, "cells: 3"},
        {"t,x\n0,1\n1,2,,\n", FENDER_STATUS_PARSE, 3, 0, "cells: 4"},
        {"t,x\n0,1\n1,2.3.4\n2,3\n", FENDER_STATUS_PARSE, 3, 3, "'2.3.4' is not a number, in column 'x'"},
        {"t,x\n0,1\n1,  0x10\n2,3\n", FENDER_STATUS_PARSE, 3, 5, "not a number"},
        {"t,x\n0,1\n1,1e999\n2,3\n", FENDER_STATUS_PARSE, 3, 3, "larger than the largest"},
        {"name,x\nann,1\nbob,2\n", FENDER_STATUS_PARSE, 0, 0, "column 'name', taken for the time, holds words"},
        {"t,name\n0,ann\n1,bob\n", FENDER_STATUS_FILE, 0, 0, "nothing is recorded"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_text("bad.csv", cases[i].text);
        check_bad("bad.csv", &cases[i], i);
    }
    write_bytes("bad.csv", "t,x\n0,\0\n", 8);
    check_bad("bad.csv", &(bad){"", FENDER_STATUS_PARSE, 1, 0, "not a text table"}, 99);
}

/* Cut at any byte, a table gives its whole rows, or is refused where not even the names are whole. */
static void csv_cut_at_every_byte(void **state)
{
    static const char text[] = "time [s],\"x, y [m]\",word\n0,1.25,a\n0.5,-2e-3,b\n1,1e3,\"c\"\n";
    size_t length = strlen(text), opened = 0;
    (void)state;
    for (size_t cut = 0; cut <= length; cut++) {
        fender_recording r;
        fender_env env = fender_env_default();
        fender_error error = {0};
        size_t rows = 0, lines = 0;
        for (size_t i = 0; i < cut; i++) lines += text[i] == '\n';
        write_bytes("cut.csv", text, cut);
        if (fender_recording_open(&r, &env, "cut.csv", NULL, true, &error) == FENDER_STATUS_OK) {
            opened++;
            rows = r.tables[0].row_count;
            /* the last row may be whole without its line feed, or end in a shorter word */
            if (lines > 0 && rows + 1 != lines && rows != lines) fail_msg("cut %zu: %zu rows", cut, rows);
            if (rows > 0) assert_true(r.tables[0].columns[1].values[0] == 1.25);
        } else {
            assert_true(error.message[0] && error.expected[0]);
        }
        fender_recording_close(&r);
    }
    assert_true(opened > length / 2);
}

/* ---- Trick */

static void fill_trick(bytes *b, bool big)
{
    static const struct {
        const char *name;
        uint64_t type, size, value;
    } integers[] = {{"char", 1, 1, (uint64_t)-5},
                    {"uchar", 2, 1, 250},
                    {"short", 4, 2, (uint64_t)-300},
                    {"ushort", 5, 2, 65000},
                    {"int", 6, 4, (uint64_t)-70000},
                    {"uint", 7, 4, 4000000000u},
                    {"long", 8, 8, (uint64_t)-3},
                    {"ulong", 9, 8, 1u << 31},
                    {"bits", 12, 4, (uint64_t)-1},
                    {"ubits", 13, 4, 7},
                    {"longlong", 14, 8, 1ull << 63},
                    {"ulonglong", 15, 8, 1ull << 63},
                    {"bool", 17, 1, 1},
                    {"enum", 21, 4, 2}};
    enum { INTEGERS = sizeof integers / sizeof integers[0] };
    begin_trick(b, big, INTEGERS + 3);
    put_variable(b, "sys.exec.out.time", "s", 11, 8);
    put_variable(b, "ball.float", "--", 10, 4);
    put_variable(b, "ball.angle", "d", 11, 8);
    for (size_t i = 0; i < INTEGERS; i++) put_variable(b, integers[i].name, "1", integers[i].type, integers[i].size);
    for (int row = 0; row < 2; row++) {
        put_double(b, row);
        put_float(b, -1.5f);
        put_double(b, 90 + row);
        for (size_t i = 0; i < INTEGERS; i++) put_number(b, integers[i].value, (size_t)integers[i].size);
    }
}

static void types_of_trick(void **state)
{
    static const struct {
        const char *name;
        double value;
    } expected[] = {{"char", -5},
                    {"uchar", 250},
                    {"short", -300},
                    {"ushort", 65000},
                    {"int", -70000},
                    {"uint", 4e9},
                    {"long", -3},
                    {"ulong", 2147483648.0},
                    {"bits", -1},
                    {"ubits", 7},
                    {"longlong", -9223372036854775808.0},
                    {"ulonglong", 9223372036854775808.0},
                    {"bool", 1},
                    {"enum", 2},
                    {"ball.float", -1.5}};
    (void)state;
    for (int big = 0; big < 2; big++) {
        static bytes b;
        fill_trick(&b, big == 1);
        write_bytes("log_a.trk", b.data, b.length);
        fender_recording r = open_recorded("log_a.trk");
        for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
            check_channel(&r, expected[i].name, "", 2, (const double[]){expected[i].value, expected[i].value});
        check_channel(&r, "ball.angle", "deg", 2, (const double[]){90, 91});
        assert_null(fender_recording_find(&r, "sys.exec.out.time")); /* it is the time */
        fender_recording_close(&r);
    }
}

static void trick_cut_at_every_byte(void **state)
{
    static bytes b;
    size_t header, row, opened = 0;
    (void)state;
    fill_trick(&b, false);
    row = 8 + 4 + 8 + 1 + 1 + 2 + 2 + 4 + 4 + 8 + 8 + 4 + 4 + 8 + 8 + 1 + 4;
    header = b.length - 2 * row;
    for (size_t cut = 0; cut <= b.length; cut++) {
        fender_recording r;
        fender_env env = fender_env_default();
        fender_error error = {0};
        write_bytes("cut.trk", b.data, cut);
        fender_status status = fender_recording_open(&r, &env, "cut.trk", NULL, true, &error);
        if (cut >= header) {
            assert_int_equal(status, FENDER_STATUS_OK);
            assert_int_equal(r.tables[0].row_count, (cut - header) / row);
            assert_int_equal(r.tables[0].cut, (cut - header) % row != 0);
            opened++;
        } else if (cut >= 6) { /* less is no sign of Trick, but a table of text of one word */
            assert_int_equal(status, FENDER_STATUS_PARSE);
            assert_true(error.message[0] && strstr(error.source, "cut.trk"));
        }
        fender_recording_close(&r);
    }
    assert_int_equal(opened, 2 * row + 1);
}

/* Any byte of the header may be wrong: it is read or refused, and no memory is asked for that the file cannot fill. */
static void trick_with_every_byte_wrong(void **state)
{
    static const unsigned char wrong[] = {0, 1, 0x7f, 0x80, 0xff};
    static bytes b;
    (void)state;
    fill_trick(&b, false);
    for (size_t at = 0; at < b.length; at++) {
        for (size_t k = 0; k < sizeof wrong; k++) {
            fender_recording r;
            fender_env env = fender_env_default();
            fender_error error = {0};
            char kept = b.data[at];
            b.data[at] = (char)wrong[k];
            write_bytes("wrong.trk", b.data, b.length);
            b.data[at] = kept;
            fender_status status = fender_recording_open(&r, &env, "wrong.trk", NULL, true, &error);
            assert_true(status != FENDER_STATUS_MEMORY);
            assert_true(status == FENDER_STATUS_OK || (error.message[0] && error.expected[0]));
            fender_recording_close(&r);
        }
    }
}

static void bad_trick(void **state)
{
    static bytes b;
    (void)state;
    write_text("bad.trk", "Trick-07-L....");
    check_bad("bad.trk", &(bad){"", FENDER_STATUS_PARSE, 0, 0, "version"}, 0);
    begin_trick(&b, false, 0);
    write_bytes("bad.trk", b.data, b.length);
    check_bad("bad.trk", &(bad){"", FENDER_STATUS_PARSE, 0, 0, "no variables"}, 1);
    begin_trick(&b, false, 1u << 30);
    write_bytes("bad.trk", b.data, b.length);
    check_bad("bad.trk", &(bad){"", FENDER_STATUS_PARSE, 0, 0, "number of variables"}, 2);
    begin_trick(&b, false, 1);
    put_variable(&b, "sys.exec.out.time", "s", 11, 4);
    write_bytes("bad.trk", b.data, b.length);
    check_bad("bad.trk", &(bad){"", FENDER_STATUS_PARSE, 0, 0, "no type that can be read"}, 3);
    begin_trick(&b, false, 1);
    put_number(&b, 5000, 4);
    put_number(&b, 0, 4);
    put_number(&b, 0, 4);
    put_number(&b, 0, 4);
    write_bytes("bad.trk", b.data, b.length);
    check_bad("bad.trk", &(bad){"", FENDER_STATUS_PARSE, 0, 0, "length of a name"}, 4);
}

/* ---- run directories */

static void a_run_directory(void **state)
{
    fender_recording r;
    fender_env env = fender_env_default();
    (void)state;
    assert_int_equal(mkdir("one.run", 0700), 0);
    write_text("one.run/b.csv", "time [s],bodies.v.position.x [m],y\n0,2,2\n");
    write_text("one.run/a.csv", "time [s],bodies.v.position.x [m]\n0,1\n");
    write_text("one.run/replay.csv", "time [s],v.position.x [m],v.position.z [m]\n0,3,3\n");
    write_text("one.run/events.csv", "time [s],count\n0,9\n");
    write_text("one.run/summary.json", "{}");
    for (int poses = 0; poses < 2; poses++) {
        check_ok(fender_recording_open(&r, &env, "one.run", NULL, poses == 1, &error));
        assert_int_equal(r.table_count, 2 + poses);
        check_channel(&r, "bodies.v.position.x", "m", 1, (const double[]){1}); /* of the first table by name */
        check_channel(&r, "y", "", 1, (const double[]){2});
        if (poses) check_channel(&r, "bodies.v.position.z", "m", 1, (const double[]){3});
        assert_int_equal(r.channel_count, 2 + poses);
        fender_recording_close(&r);
    }
    assert_int_equal(unlink("one.run/a.csv") + unlink("one.run/b.csv"), 0);
    check_ok(fender_recording_open(&r, &env, "one.run/", NULL, false, &error));
    assert_int_equal(r.channel_count, 2); /* nothing but poses: then they count */
    fender_recording_close(&r);
    assert_int_equal(unlink("one.run/replay.csv"), 0);
    check_bad("one.run", &(bad){"", FENDER_STATUS_FILE, 0, 0, "nothing is recorded"}, 0);
}

/* ---- patterns */

static void patterns(void **state)
{
    (void)state;
    assert_true(fender_recording_fits("a.b", "a.b"));
    assert_true(fender_recording_fits("a.b", "a.b.x"));
    assert_false(fender_recording_fits("a.b", "a.b.x.y"));
    assert_false(fender_recording_fits("a.b", "a.bc"));
    assert_true(fender_recording_fits("bodies.*.position", "bodies.veh1.position.x"));
    assert_true(fender_recording_fits("contacts.*.depth", "contacts.a.b:c.d.depth"));
    assert_false(fender_recording_fits("contacts.*.depth", "contacts.a.b:c.d.depth_rate"));
    assert_true(fender_recording_fits("*", "anything.at.all"));
    assert_true(fender_recording_fits("*.x", "a.x.x"));
    assert_false(fender_recording_fits("", "a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_csv),
        cmocka_unit_test(lists_of_contacts),
        cmocka_unit_test(lapses),
        cmocka_unit_test(other_lists),
        cmocka_unit_test(many_contacts),
        cmocka_unit_test(bad_csv),
        cmocka_unit_test(csv_cut_at_every_byte),
        cmocka_unit_test(types_of_trick),
        cmocka_unit_test(trick_cut_at_every_byte),
        cmocka_unit_test(trick_with_every_byte_wrong),
        cmocka_unit_test(bad_trick),
        cmocka_unit_test(patterns),
        cmocka_unit_test(a_run_directory),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
