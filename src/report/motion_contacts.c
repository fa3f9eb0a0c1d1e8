/* The contacts of a run at the frames of its motion: rows of contacts.csv. */
#include "report/motion.h"

#include "support/fault.h"
#include "tables/csv.h"

#include <string.h>

static const char head[] = "time [s],contact,depth [m],normal_force [N],friction_force [N],point.x [m],point.y [m],"
                           "point.z [m],force.x [N],force.y [N],force.z [N]\n";
enum { NUMBERS = 9 };

/* The frame of the row's time, from `from` on; frame_count: it is of none. */
static fender_status find_frame(const fnd_motion *m, const fnd_rows *rows, int *from, bool *found, fender_error *error)
{
    double time;
    fender_status status = fnd_rows_numbers(rows, 0, 1, &time, error);
    while (status == FENDER_STATUS_OK && *from < m->frame_count && m->times[*from] < time) ++*from;
    *found = status == FENDER_STATUS_OK && *from < m->frame_count && m->times[*from] == time;
    return status;
}

/* Its number, a new one if it is new; -1 without memory. Rows come in the same order at every frame: the search begins
 * behind the pair of the row before. */
static int pair_of(fnd_motion *m, const fnd_rows *rows, int before, int *capacity)
{
    for (int i = 0; i < m->pair_count; i++) {
        const int pair = (before + 1 + i) % m->pair_count;
        if (fnd_rows_says(rows, 1, m->pairs[pair])) return pair;
    }
    if (m->pair_count == *capacity) {
        const int more = *capacity > 0 ? 2 * *capacity : 16;
        const char **names = FND_ARENA_NEW_ARRAY(&m->arena, const char *, (size_t)more);
        if (!names) return -1;
        if (m->pair_count > 0) memcpy(names, m->pairs, (size_t)m->pair_count * sizeof *names);
        m->pairs = names;
        *capacity = more;
    }
    m->pairs[m->pair_count] = fnd_arena_copy(&m->arena, rows->cells[1], rows->lengths[1]);
    return m->pairs[m->pair_count] ? m->pair_count++ : -1;
}

/* Rows of the events at a state stand before those of the whole state, where both were written: they say the same. */
static size_t without_repeated(fnd_motion_contact *contacts, size_t count)
{
    size_t first = 0;
    for (; first < count; first++) {
        bool again = false;
        for (size_t i = first + 1; i < count && !again; i++) again = contacts[i].pair == contacts[first].pair;
        if (!again) break;
    }
    if (first > 0) memmove(contacts, contacts + first, (count - first) * sizeof *contacts);
    return count - first;
}

static fender_status take_rows(fnd_motion *m, fnd_rows *rows, fender_error *error)
{
    size_t count = 0, begin = 0;
    int frame = 0, filled = 0, pair = -1, capacity = 0;
    bool found;
    while (fnd_rows_next(rows)) {
        fender_status status = find_frame(m, rows, &frame, &found, error);
        if (status != FENDER_STATUS_OK) return status;
        count += found;
    }
    m->contacts = FND_ARENA_NEW_ARRAY(&m->arena, fnd_motion_contact, count + 1);
    m->contact_from = FND_ARENA_NEW_ARRAY(&m->arena, size_t, (size_t)m->frame_count + 1);
    if (!m->contacts || !m->contact_from) return fnd_io_fail_memory(error, "the contacts of a run");
    fnd_rows_rewind(rows);
    frame = 0;
    count = 0;
    while (fnd_rows_next(rows)) {
        double v[NUMBERS];
        fender_status status = find_frame(m, rows, &frame, &found, error);
        if (status == FENDER_STATUS_OK && !found) continue;
        if (status == FENDER_STATUS_OK) status = fnd_rows_numbers(rows, 2, NUMBERS, v, error);
        if (status != FENDER_STATUS_OK) return status;
        for (; filled <= frame; filled++) {
            count = begin + without_repeated(m->contacts + begin, count - begin);
            begin = count;
            m->contact_from[filled] = count;
        }
        pair = pair_of(m, rows, pair, &capacity);
        if (pair < 0) return fnd_io_fail_memory(error, "the contacts of a run");
        m->contacts[count++] = (fnd_motion_contact){.pair = pair,
                                                    .depth = v[0],
                                                    .normal_force = v[1],
                                                    .friction_force = v[2],
                                                    .point = {v[3], v[4], v[5]},
                                                    .force = {v[6], v[7], v[8]}};
    }
    count = begin + without_repeated(m->contacts + begin, count - begin);
    for (; filled <= m->frame_count; filled++) m->contact_from[filled] = count;
    return FENDER_STATUS_OK;
}

fender_status fnd_motion_read_contacts(fnd_motion *m, const char *run_directory, fender_error *error)
{
    fnd_rows rows;
    fender_status status = fnd_rows_open(&rows, &m->env.allocator, run_directory, "contacts.csv", head, error);
    if (status != FENDER_STATUS_OK) return status;
    status = take_rows(m, &rows, error);
    fnd_rows_close(&rows);
    return status;
}
