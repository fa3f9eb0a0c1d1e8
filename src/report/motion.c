/* What a run directory tells of bodies and their motion. */
#include "report/motion.h"

#include "support/fault.h"
#include "tables/recording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { USUAL_FRAMES = 200, POSE_PARTS = 7 };

static fender_status refuse(fender_error *error, const char *path, int line, const char *found, const char *expected)
{
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_PARSE,
                                             .source = path,
                                             .line = line,
                                             .message = "replay.csv does not fit the scenario of the run",
                                             .found = found,
                                             .expected = expected,
                                             .suggestion = "run the scenario again to write it anew"});
}

static char *path_in(const fender_allocator *allocator, const char *directory, const char *name, size_t *size)
{
    *size = strlen(directory) + strlen(name) + 2;
    char *path = allocator->allocate(allocator->ctx, *size, 1);
    if (path) snprintf(path, *size, "%s/%s", directory, name);
    return path;
}

/* The time, then seven columns of each body in order. */
static fender_status check_columns(const fnd_motion *m, const char *path, const fender_recording_table *table,
                                   fender_error *error)
{
    static const char *const parts[POSE_PARTS] = {"position.x [m]", "position.y [m]", "position.z [m]", "attitude.w",
                                                  "attitude.x",     "attitude.y",     "attitude.z"};
    for (int i = 0; i < m->body_count * POSE_PARTS; i++) {
        char expected[200], found[200] = "the end of the line";
        const fender_recording_column *column = i + 1 < table->column_count ? &table->columns[i + 1] : NULL;
        snprintf(expected, sizeof expected, "%.120s.%s",
                 fender_body_name(m->world, fender_body_at(m->world, i / POSE_PARTS)), parts[i % POSE_PARTS]);
        if (column)
            snprintf(found, sizeof found, "%.150s%s%.30s%s", column->name, column->unit[0] ? " [" : "", column->unit,
                     column->unit[0] ? "]" : "");
        if (strcmp(found, expected) != 0) return refuse(error, path, 1, found, expected);
    }
    if (table->column_count == m->body_count * POSE_PARTS + 1) return FENDER_STATUS_OK;
    return refuse(error, path, 1, "more columns", "seven for each body of the scenario");
}

/* `frames` rows, spread evenly, the last among them. */
static fender_status take_frames(fnd_motion *m, const char *path, const fender_recording_table *table, int frames,
                                 fender_error *error)
{
    const size_t wanted = (size_t)(frames > 0 ? frames : USUAL_FRAMES), rows = table->row_count;
    fender_status status = check_columns(m, path, table, error);
    if (status != FENDER_STATUS_OK) return status;
    if (rows < 1) return refuse(error, path, 2, "no states", "at least one row");
    m->frame_count = (int)(rows < wanted ? rows : wanted);
    m->times = FND_ARENA_NEW_ARRAY(&m->arena, double, (size_t)m->frame_count);
    m->poses = FND_ARENA_NEW_ARRAY(&m->arena, fender_pose, (size_t)m->frame_count * (size_t)m->body_count + 1);
    if (!m->times || !m->poses) return fnd_io_fail_memory(error, "the motion of a run");
    for (int i = 0; i < m->frame_count; i++) {
        const size_t row = m->frame_count > 1 ? (size_t)i * (rows - 1) / (size_t)(m->frame_count - 1) : rows - 1;
        m->times[i] = table->columns[0].values[row];
        for (int body = 0; body < m->body_count; body++) {
            double v[POSE_PARTS];
            for (int k = 0; k < POSE_PARTS; k++) {
                const double *values = table->columns[1 + body * POSE_PARTS + k].values;
                v[k] = values ? values[row] : NAN;
                if (!isfinite(v[k]))
                    return refuse(error, path, (int)row + 2, values ? "a number that is not finite" : "words",
                                  "finite numbers");
            }
            m->poses[(ptrdiff_t)i * m->body_count + body] = (fender_pose){.p = {v[0], v[1], v[2]},
                                                                          .q = {v[3], v[4], v[5], v[6]}};
        }
    }
    return FENDER_STATUS_OK;
}

static void find_extent(fnd_motion *m)
{
    m->extent = 1;
    for (int i = 0; i < m->frame_count * m->body_count; i++) {
        const fender_vec3 d = fender_vec3_sub(m->poses[i].p, m->poses[0].p);
        const double sizes[3] = {fabs(d.x), fabs(d.y), fabs(d.z)};
        for (int k = 0; k < 3; k++)
            if (sizes[k] > m->extent) m->extent = sizes[k];
    }
}

fender_status fnd_motion_read(const fender_env *env, const char *run_directory, int frames, fnd_motion *m,
                              fender_error *error)
{
    memset(m, 0, sizeof *m);
    m->env = *env;
    m->arena = fnd_arena_open(&env->allocator, 0);
    m->scenario = fender_scenario_load_run(env, NULL, run_directory, error);
    fender_status status = m->scenario ? FENDER_STATUS_OK : error && error->status ? error->status : FENDER_STATUS_FILE;
    if (m->scenario) m->world = fender_scenario_build(m->scenario, env, error);
    if (m->scenario && !m->world) status = error && error->status ? error->status : FENDER_STATUS_VALUE;
    if (m->world) {
        size_t size;
        char *path = path_in(&env->allocator, run_directory, "replay.csv", &size);
        fnd_arena arena = fnd_arena_open(&env->allocator, 0);
        fender_recording_table table;
        m->body_count = fender_body_count(m->world);
        status = path ? fnd_series_read(&env->allocator, path, "time", &arena, &table, error)
                      : fnd_io_fail_memory(error, "the path of a file");
        if (status == FENDER_STATUS_OK) status = take_frames(m, path, &table, frames, error);
        fnd_arena_close(&arena);
        if (path) env->allocator.release(env->allocator.ctx, path, size);
    }
    if (status == FENDER_STATUS_OK) status = fnd_motion_read_links(m, run_directory, error);
    if (status == FENDER_STATUS_OK) status = fnd_motion_read_contacts(m, run_directory, error);
    if (status == FENDER_STATUS_OK) find_extent(m);
    else fnd_motion_close(m);
    return status;
}

void fnd_motion_close(fnd_motion *m)
{
    fender_world_destroy(m->world);
    fender_scenario_destroy(m->scenario);
    fnd_arena_close(&m->arena);
    memset(m, 0, sizeof *m);
}

bool fnd_motion_is_still(const fnd_motion *m, int body)
{
    for (int i = 1; i < m->frame_count; i++)
        if (memcmp(fnd_motion_pose(m, i, body), fnd_motion_pose(m, 0, body), sizeof(fender_pose)) != 0) return false;
    return true;
}
