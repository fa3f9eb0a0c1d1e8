/* Motion of bodies, links and contacts from a run directory. */
#ifndef FND_REPORT_MOTION_H
#define FND_REPORT_MOTION_H

#include <fender/io.h>

#include "support/memory.h"

/* Contact of one pair of shapes, or one point of a cloud, at a frame; in W. */
typedef struct fnd_motion_contact {
    int pair;                                   /* index into `pairs` */
    fender_vec3 point, force;                   /* m; N, on the second shape of the pair */
    double depth, normal_force, friction_force; /* m, N, N */
} fnd_motion_contact;

typedef struct fnd_motion_link {
    const char *name;
    int body[2];
    fender_vec3 end[2];   /* m, in the structure frames of the bodies */
    int first, frame_end; /* shown at frames from `first` to before `frame_end`: closed, neither broken nor spent */
} fnd_motion_link;

typedef struct fnd_motion_record {
    fender_env env;
    fnd_arena arena;
    fender_scenario *scenario;
    fender_world *world; /* of the start: names, shapes, which bodies move */
    int body_count, frame_count, link_count, pair_count;
    int row_count;      /* of replay.csv */
    double turn;        /* rad; most by which a body turns between two frames, on the way of all rows between */
    int turning;        /* which body that is */
    double *times;      /* s, by frame */
    fender_pose *poses; /* of structure frames, W: body_count by frame */
    double extent;      /* m; no body goes farther from the first body's first place, along an axis; at least 1 */
    fnd_motion_link *links;
    const char **pairs;           /* their names, in the order in which they first touch */
    fnd_motion_contact *contacts; /* of frame i those from contact_from[i] to before contact_from[i + 1] */
    size_t *contact_from;
} fnd_motion_record;

/* At most `frames` (0: 200) of those in replay.csv, the last among them. On failure there is nothing to close. */
fender_status fnd_motion_read(const fender_env *env, const char *run_directory, int frames, fnd_motion_record *motion,
                              fender_error *error);
void fnd_motion_close(fnd_motion_record *motion);
static inline const fender_pose *fnd_motion_pose(const fnd_motion_record *motion, int frame, int body)
{
    return &motion->poses[(ptrdiff_t)frame * motion->body_count + body];
}
/* True if the body does not move. */
bool fnd_motion_is_still(const fnd_motion_record *motion, int body);
/* Where the end of a link is; W. */
fender_vec3 fnd_motion_link_end(const fnd_motion_record *motion, int frame, const fnd_motion_link *link, int end);

#endif
