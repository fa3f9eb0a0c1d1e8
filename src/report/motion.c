/* What a run directory tells of bodies and their motion. */
#include "report/motion.h"

#include "text/fault.h"
#include "text/file.h"
#include "text/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const size_t table_limit = (size_t)1 << 31;
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

static const char *line_end(const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return stop ? stop : end;
}

/* The header: the time, then seven columns of each body in order. */
static fender_status check_header(const fnd_motion *m, const char *path, const char *at, const char *stop,
                                  fender_error *error)
{
    static const char *const parts[POSE_PARTS] = {"position.x [m]", "position.y [m]", "position.z [m]", "attitude.w",
                                                  "attitude.x",     "attitude.y",     "attitude.z"};
    char expected[200] = "time [s]";
    for (int column = 0; column <= m->body_count * POSE_PARTS; column++) {
        const char *comma = memchr(at, ',', (size_t)(stop - at)), *cell_end = comma ? comma : stop;
        const bool last = column == m->body_count * POSE_PARTS;
        if (column > 0)
            snprintf(expected, sizeof expected, "%.120s.%s",
                     fender_body_name(m->world, fender_body_at(m->world, (column - 1) / POSE_PARTS)),
                     parts[(column - 1) % POSE_PARTS]);
        const size_t length = (size_t)(cell_end - at);
        if (length != strlen(expected) || memcmp(at, expected, length) != 0 || last != (comma == NULL)) {
            char found[64];
            fnd_io_excerpt(found, sizeof found, at, length);
            return refuse(error, path, 1, found, expected);
        }
        at = cell_end + 1;
    }
    return FENDER_STATUS_OK;
}

static fender_status read_row(fnd_motion *m, const char *path, int line, const char *at, const char *stop, int frame,
                              fender_error *error)
{
    double values[POSE_PARTS];
    for (int column = 0; column <= m->body_count * POSE_PARTS; column++) {
        size_t used = 0;
        double *value = column == 0 ? &m->times[frame] : &values[(column - 1) % POSE_PARTS];
        const bool comma = column < m->body_count * POSE_PARTS;
        if (!fnd_number_parse(at, (size_t)(stop - at), value, &used) || (at + used == stop) == comma ||
            (comma && at[used] != ',')) {
            char found[64];
            fnd_io_excerpt(found, sizeof found, at, (size_t)(stop - at));
            return refuse(error, path, line, found, "finite numbers, one for each column");
        }
        at += used + comma;
        if (column == 0 || (column - 1) % POSE_PARTS != POSE_PARTS - 1) continue;
        fender_pose *pose = &m->poses[(ptrdiff_t)frame * m->body_count + (column - 1) / POSE_PARTS];
        pose->p = fender_vec3_make(values[0], values[1], values[2]);
        pose->q = (fender_quaternion){values[3], values[4], values[5], values[6]};
    }
    return FENDER_STATUS_OK;
}

static int count_rows(const char *at, const char *end)
{
    int rows = -1; /* the header is none */
    for (; at < end; at = line_end(at, end) + 1) rows += line_end(at, end) < end;
    return rows;
}

static fender_status read_rows(fnd_motion *m, const char *path, const fnd_file *file, int frames, fender_error *error)
{
    const fender_allocator *allocator = &m->env.allocator;
    const char *at = file->text, *end = file->text + file->length, *stop = line_end(at, end);
    fender_status status = check_header(m, path, at, stop, error);
    if (status != FENDER_STATUS_OK) return status;
    const int rows = count_rows(at, end), wanted = frames > 0 ? frames : USUAL_FRAMES;
    if (rows < 1) return refuse(error, path, 2, "no states", "at least one row");
    m->frame_count = rows < wanted ? rows : wanted;
    m->times_size = (size_t)m->frame_count * sizeof *m->times;
    m->poses_size = (size_t)m->frame_count * (size_t)m->body_count * sizeof *m->poses;
    m->times = allocator->allocate(allocator->ctx, m->times_size, _Alignof(double));
    m->poses = allocator->allocate(allocator->ctx, m->poses_size + 1, _Alignof(fender_pose));
    if (!m->times || !m->poses) return fnd_io_fail_memory(error, "the motion of a run");
    for (int row = 0, frame = 0; row < rows && frame < m->frame_count; row++) {
        at = stop + 1;
        stop = line_end(at, end);
        /* the last one always, the others evenly */
        const int64_t due = m->frame_count > 1 ? (int64_t)frame * (rows - 1) / (m->frame_count - 1) : rows - 1;
        if (row < due) continue;
        status = read_row(m, path, row + 2, at, stop, frame++, error);
        if (status != FENDER_STATUS_OK) return status;
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
    m->scenario = fender_scenario_load_run(env, NULL, run_directory, error);
    if (!m->scenario) return error && error->status ? error->status : FENDER_STATUS_FILE;
    m->world = fender_scenario_build(m->scenario, env, error);
    fender_status status = m->world ? FENDER_STATUS_OK : error && error->status ? error->status : FENDER_STATUS_VALUE;
    if (m->world) {
        size_t size;
        char *path = path_in(&env->allocator, run_directory, "replay.csv", &size);
        fnd_file file;
        m->body_count = fender_body_count(m->world);
        status = path ? fnd_file_read(&env->allocator, path, table_limit, FND_FILE_TEXT, &file, error)
                      : fnd_io_fail_memory(error, "the path of a file");
        if (status == FENDER_STATUS_OK) {
            status = read_rows(m, path, &file, frames, error);
            fnd_file_release(&env->allocator, &file);
        }
        if (path) env->allocator.release(env->allocator.ctx, path, size);
    }
    if (status == FENDER_STATUS_OK) find_extent(m);
    else fnd_motion_close(m);
    return status;
}

void fnd_motion_close(fnd_motion *m)
{
    const fender_allocator *a = &m->env.allocator;
    if (m->times) a->release(a->ctx, m->times, m->times_size);
    if (m->poses) a->release(a->ctx, m->poses, m->poses_size + 1);
    fender_world_destroy(m->world);
    fender_scenario_destroy(m->scenario);
    memset(m, 0, sizeof *m);
}

bool fnd_motion_is_still(const fnd_motion *m, int body)
{
    for (int i = 1; i < m->frame_count; i++)
        if (memcmp(fnd_motion_pose(m, i, body), fnd_motion_pose(m, 0, body), sizeof(fender_pose)) != 0) return false;
    return true;
}
