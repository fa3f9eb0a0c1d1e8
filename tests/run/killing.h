/* Runs in a process of their own that is killed: at a chosen call of write, fsync or rename, or at a chosen time. */
#ifndef TEST_RUN_KILLING_H
#define TEST_RUN_KILLING_H

#include "random_numbers.h"
#include "run_test.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

/* Needs -Wl,--wrap=write,--wrap=fsync,--wrap=rename. What the wrapped calls are to do, counted from the start of a run.
 */
static struct {
    long calls, writes; /* so far */
    long kill_at;       /* call; 0: never */
    long kill_at_write; /* the same of writes alone */
    long fail_from;     /* 0: never; from this call on `reason` is what comes of it */
    int reason;
    bool short_writes; /* a part of the bytes at a time */
    int told;          /* descriptor that hears of a death inside a write */
    random_stream random;
} disk;

ssize_t __real_write(int descriptor, const void *bytes, size_t size);
int __real_rename(const char *from, const char *to);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t size);
int __wrap_fsync(int descriptor);
int __wrap_rename(const char *from, const char *to);

static bool is_call_to_die_in(void) { return ++disk.calls == disk.kill_at; }
static bool is_call_to_fail(void) { return disk.fail_from > 0 && disk.calls >= disk.fail_from; }

ssize_t __wrap_write(int descriptor, const void *bytes, size_t size)
{
    bool die = is_call_to_die_in();
    die = ++disk.writes == disk.kill_at_write || die;
    if (die) {
        size_t part = size > 0 ? (size_t)random_below(&disk.random, (int)size) : 0;
        ssize_t done = __real_write(descriptor, bytes, part);
        if (done >= 0 && disk.told > 0) done = __real_write(disk.told, "w", 1);
        if (done >= 0) kill(getpid(), SIGKILL);
    }
    if (is_call_to_fail()) {
        errno = disk.reason;
        return -1;
    }
    if (disk.short_writes && size > 1) size = 1 + (size_t)random_below(&disk.random, (int)size);
    return __real_write(descriptor, bytes, size);
}

/* A killed process leaves what it has handed to the system: the disk itself need not be waited for. */
int __wrap_fsync(int descriptor)
{
    if (is_call_to_die_in()) kill(getpid(), SIGKILL);
    if (is_call_to_fail()) {
        errno = disk.reason;
        return -1;
    }
    return descriptor < 0 ? -1 : 0;
}

int __wrap_rename(const char *from, const char *to)
{
    if (is_call_to_die_in()) kill(getpid(), SIGKILL);
    if (is_call_to_fail()) {
        errno = disk.reason;
        return -1;
    }
    return __real_rename(from, to);
}

/* Contacts with friction, events, actions with conditions of every kind, recordings of every kind; %s: more keys of the
 * integrator. */
static const char busy_scene[] =
    "fender: 1\n"
    "title: a run to interrupt\n"
    "include: [part.yaml]\n"
    "integrator: {step: 4 ms%s}\n"
    "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
    "run: {until: 2 s, checkpoint_every: 0.1 s}\n"
    "bodies:\n"
    "  floor:\n"
    "    motion: fixed\n"
    "    shapes: {plate: {capsule: {radius: 5 m, from: [-20, 0, -5, m], to: [20, 0, -5, m]}, material: steel}}\n"
    "  ball:\n"
    "    mass_properties: {mass: 2 kg, inertia: [0.1, 0.1, 0.1, kg*m^2]}\n"
    "    state: {position: [0, 0, 0.7, m], velocity: [0.3, 0.1, 0, m/s], angular_velocity: [1, 3, 0, rad/s]}\n"
    "    shapes: {hull: {sphere: {radius: 0.3 m}, material: steel}}\n"
    "  other:\n"
    "    mass_properties: {mass: 1 kg, inertia: [0.04, 0.04, 0.04, kg*m^2]}\n"
    "    state: {position: [0.8, 0, 0.9, m], velocity: [-0.5, 0, 0, m/s]}\n"
    "    shapes: {hull: {sphere: {radius: 0.3 m}, material: steel}}\n"
    "  lamp:\n"
    "    mass_properties: {mass: 0.2 kg, inertia: [0.01, 0.01, 0.01, kg*m^2]}\n"
    "    state: {position: [0, 4, 2, m]}\n"
    "    shapes: {hull: {sphere: {radius: 0.1 m}}}\n"
    "loads:\n"
    "  wind: {body: other, force: {table: {file: wind.csv, columns: [time, x, y, z]}}}\n"
    "actions:\n"
    "  bump: {when: {begin: [ball, floor]}, do: [{emit: landed}], once: false}\n"
    "  hold: {when: {any: [{event: landed}, {time: 1.5 s}]}, do: [{set: {loads.wind.active: false}}]}\n"
    "  join: {when: {time: 0.8 s}, do: [{attach: {child: lamp, to: other, pose: as_is}}]}\n"
    "  part: {when: {time: 1.4 s}, do: [{detach: lamp}, {emit: parted}]}\n"
    "record:\n"
    "  log: {file: log.csv, every: 20 ms, channels: [bodies.*.position, ledger.energy.*, events.*.count]}\n"
    "  steps: {file: steps.csv, on: steps, channels: ['contacts.floor.plate:ball.hull.normal_force',\n"
    "           shapes.*.hull.slide]}\n"
    "  marks: {file: marks.csv, on: events}\n"
    "expect:\n"
    "  - {channel: bodies.ball.position.z, at: max, below: 3 m}\n"
    "  - {channel: bodies.ball.position.z, at: 1 s, above: -1 m, below: 3 m}\n"
    "  - {event: parted, at: 1.4 s, within: 10 ms}\n";

static const char busy_part[] = "materials: {steel: {}}\n"
                                "contact_types:\n"
                                "  spring:\n"
                                "    normal: {law: spring_damper, stiffness: 20 kN/m, damping: 40 N*s/m}\n"
                                "    friction: {law: coulomb, mu: 0.3}\n"
                                "rules: [{materials: [steel, steel], use: spring}]\n";

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static inline void write_busy_scene(const char *integrator)
{
    char text[sizeof busy_scene + 200];
    snprintf(text, sizeof text, busy_scene, integrator);
    write_file("busy.yaml", text);
    write_file("part.yaml", busy_part);
    write_file("wind.csv", "time [s],x [N],y [N],z [N]\n0,-1,0,0\n1,0,0.5,0\n2,0,0,0\n");
}

/* Begins or resumes the run of busy.yaml in this process. */
static inline fender_status execute_busy(const char *directory, bool resume, fender_run_summary *summary,
                                         fender_error *error)
{
    fender_env env = fender_env_default();
    fender_scenario *scenario = resume ? fender_scenario_load_run(&env, NULL, directory, error)
                                       : fender_scenario_load(&env, NULL, "busy.yaml", NULL, 0, error);
    if (!scenario) return error->status ? error->status : FENDER_STATUS_PARSE;
    fender_run_def def = {.scenario = scenario,
                          .accept_residual = true,
                          .output_directory = directory,
                          .command_line = resume ? NULL : "a test",
                          .resume = resume};
    fender_run *run = fender_run_create(&env, &def, error);
    fender_status status = run ? fender_run_execute(run, error) : error->status;
    if (run && summary) *summary = *fender_run_get_summary(run); /* its pointers are not to be read */
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return status;
}

/* In a process of its own. Its status; -1: it was killed, -2: inside a write. after >= 0: killed after that time. */
static inline int execute_apart(const char *directory, bool resume, double after)
{
    int ends[2], code;
    char told;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        fender_error error = {0};
        disk.told = ends[1];
        disk.calls = disk.writes = 0;
        int status = (int)execute_busy(directory, resume, NULL, &error);
        if (status == FENDER_STATUS_VALUE || status == FENDER_STATUS_PARSE || status == FENDER_STATUS_NAME)
            fprintf(stderr, "%s:%d %s | %s\n", error.source, error.line, error.message, error.suggestion);
        _exit(status);
    }
    close(ends[1]);
    if (after >= 0) {
        struct timespec wait = {(time_t)after, (long)(1e9 * (after - floor(after)))};
        nanosleep(&wait, NULL);
        kill(child, SIGKILL);
    }
    assert_int_equal(waitpid(child, &code, 0), child);
    ssize_t inside = read(ends[0], &told, 1);
    close(ends[0]);
    if (WIFEXITED(code)) return WEXITSTATUS(code);
    assert_int_equal(WTERMSIG(code), SIGKILL);
    return inside == 1 ? -2 : -1;
}

/* The file without what a wall clock has measured; freed by the caller. */
static inline char *read_comparable(const char *directory, const char *name)
{
    char *text = strdup(read_run_file(directory, name));
    char *wall = strcmp(name, "summary.json") == 0 ? strstr(text, "\"wall_time\":") : NULL;
    if (wall) memset(wall, ' ', strcspn(wall, ","));
    char *end = wall ? wall + strcspn(wall, ",") : NULL, *begin = wall;
    if (wall) memmove(begin, end, strlen(end) + 1);
    return text;
}

static inline int count_files(const char *directory)
{
    int count = 0;
    DIR *folder = opendir(directory);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static const char *const busy_files[] = {"summary.json", "events.csv", "scenario.yaml", "scenario.sources",
                                         "scene.json",   "replay.csv", "contacts.csv",  "hashes.csv",
                                         "log.csv",      "steps.csv",  "marks.csv",     "episodes.csv"};
enum { BUSY_FILE_COUNT = sizeof busy_files / sizeof busy_files[0] };

/* The same files, and nothing else. */
static inline void check_same_directory(const char *one, const char *other)
{
    assert_int_equal(count_files(one), BUSY_FILE_COUNT);
    assert_int_equal(count_files(other), BUSY_FILE_COUNT);
    for (int i = 0; i < BUSY_FILE_COUNT; i++) {
        char *a = read_comparable(one, busy_files[i]), *b = read_comparable(other, busy_files[i]);
        if (strcmp(a, b) != 0) {
            size_t at = 0;
            while (a[at] == b[at]) at++;
            size_t from = at > 60 ? at - 60 : 0;
            fail_msg("%s differs at byte %zu: '%.120s' and '%.120s'", busy_files[i], at, a + from, b + from);
        }
        free(a);
        free(b);
    }
}

typedef struct kill_report {
    int killed, inside_write, resumed, begun_again, completed;
} kill_report;

/* Kills runs and resumptions until `wanted` kills are done, each chain of them ending in a whole directory. */
static inline kill_report kill_many(int wanted, uint64_t seed)
{
    kill_report report = {0};
    random_stream r = random_of_case(191, seed);
    struct timespec before, after;
    fender_error error = {0};
    remove_directory("whole.run");
    disk.kill_at = disk.calls = disk.writes = 0;
    clock_gettime(CLOCK_MONOTONIC, &before);
    fender_status status = execute_busy("whole.run", false, NULL, &error);
    clock_gettime(CLOCK_MONOTONIC, &after);
    if (status != FENDER_STATUS_OK) fail_msg("%s:%d %s", error.source, error.line, error.message);
    long calls = disk.calls, writes = disk.writes;
    double duration = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    while (report.killed < wanted) {
        remove_directory("killed.run");
        bool resume = false;
        for (;;) {
            /* in turn: inside a write, in any call, at any time; some resumptions may come to their end */
            bool mercy = report.killed >= wanted || (resume && random_below(&r, 2) == 0);
            int kind = mercy ? 3 : report.killed % 3;
            disk.random = random_of_case(192, (uint64_t)random_below(&r, 1 << 30));
            disk.kill_at_write = kind == 0 ? 1 + random_below(&r, (int)writes) : 0;
            disk.kill_at = kind == 1 ? 1 + random_below(&r, (int)calls) : 0;
            double instant = kind == 2 ? duration * random_below(&r, 1000) / 1000.0 : -1;
            int code = execute_apart("killed.run", resume, instant);
            if (code < 0) {
                report.killed++;
                report.inside_write += code == -2;
                resume = true;
            } else if (resume && code == FENDER_STATUS_FILE) { /* it died before its first checkpoint */
                resume = false;
                report.begun_again++;
            } else {
                if (code != FENDER_STATUS_OK && !(resume && code == FENDER_STATUS_STATE)) fail_msg("status %d", code);
                report.resumed += resume;
                break;
            }
        }
        report.completed++;
        check_same_directory("whole.run", "killed.run");
    }
    disk.kill_at = disk.kill_at_write = 0;
    print_message("%d kills, %d of them inside a write; %d runs completed, %d of them resumed, %d begun again\n",
                  report.killed, report.inside_write, report.completed, report.resumed, report.begun_again);
    return report;
}

#endif
