/* The links of a run at the frames of its motion: their ends, and from events.csv how long they hold. */
#include "report/motion.h"

#include "support/fault.h"
#include "tables/csv.h"

#include <string.h>

static int body_of(const fnd_motion *m, fender_body_id id)
{
    for (int i = 0; i < m->body_count; i++)
        if (fender_body_at(m->world, i).index1 == id.index1) return i;
    return 0;
}

/* The first frame at `time` or later; frame_count: there is none. */
static int frame_at(const fnd_motion *m, double time)
{
    int frame = 0;
    while (frame < m->frame_count && m->times[frame] < time) frame++;
    return frame;
}

static fender_status follow_events(fnd_motion *m, fnd_rows *rows, fender_error *error)
{
    while (fnd_rows_next(rows)) {
        const bool catches = fnd_rows_says(rows, 1, "capture");
        if (!catches && !fnd_rows_says(rows, 1, "break") && !fnd_rows_says(rows, 1, "spent")) continue;
        for (int i = 0; i < m->link_count; i++) {
            if (!fnd_rows_says(rows, 2, m->links[i].name)) continue;
            double time;
            fender_status status = fnd_rows_numbers(rows, 0, 1, &time, error);
            if (status != FENDER_STATUS_OK) return status;
            int *frame = catches ? &m->links[i].first : &m->links[i].frame_end;
            const int here = frame_at(m, time);
            if (here < *frame) *frame = here;
        }
    }
    return FENDER_STATUS_OK;
}

fender_status fnd_motion_read_links(fnd_motion *m, const char *run_directory, fender_error *error)
{
    const int count = fender_link_count(m->world);
    if (count == 0) return FENDER_STATUS_OK;
    m->links = FND_ARENA_NEW_ARRAY(&m->arena, fnd_motion_link, (size_t)count);
    if (!m->links) return fnd_io_fail_memory(error, "the links of a run");
    for (; m->link_count < count; m->link_count++) {
        fnd_motion_link *link = &m->links[m->link_count];
        const fender_link_id id = fender_link_at(m->world, m->link_count);
        fender_link_def def;
        fender_status status = fender_link_get_def(m->world, id, &def);
        if (status != FENDER_STATUS_OK) return status;
        *link = (fnd_motion_link){.name = fender_link_name(m->world, id), .frame_end = m->frame_count};
        for (int i = 0; i < 2; i++) {
            fender_body_id body;
            fender_pose X_SP;
            status = fender_point_get(m->world, i == 0 ? def.a : def.b, &body, NULL, &X_SP);
            if (status != FENDER_STATUS_OK) return status;
            link->body[i] = body_of(m, body);
            link->end[i] = X_SP.p;
        }
        /* an open latch is no more than two points */
        if (def.law == FENDER_LINK_LATCH) link->first = m->frame_count;
    }
    fnd_rows rows;
    fender_status status = fnd_rows_open(&rows, &m->env.allocator, run_directory, "events.csv",
                                         "time [s],event,contact,", error);
    if (status != FENDER_STATUS_OK) return status;
    status = follow_events(m, &rows, error);
    fnd_rows_close(&rows);
    return status;
}

fender_vec3 fnd_motion_link_end(const fnd_motion *m, int frame, const fnd_motion_link *link, int end)
{
    const fender_pose *X = fnd_motion_pose(m, frame, link->body[end]);
    return fender_vec3_add(X->p, fender_quaternion_rotate(X->q, link->end[end]));
}
