/* What a run directory tells of bodies and their motion. */
#ifndef FND_REPORT_MOTION_H
#define FND_REPORT_MOTION_H

#include <fender/io.h>

typedef struct fnd_motion {
    fender_env env;
    fender_scenario *scenario;
    fender_world *world; /* of the start: names, shapes, which bodies move */
    int body_count, frame_count;
    double *times;      /* s, by frame */
    fender_pose *poses; /* of structure frames, W: body_count by frame */
    size_t times_size, poses_size;
    double extent; /* m; no body goes farther from the first body's first place, along an axis; at least 1 */
} fnd_motion;

/* At most `frames` (0: 200) of those in replay.csv, the last among them. On failure there is nothing to close. */
fender_status fnd_motion_read(const fender_env *env, const char *run_directory, int frames, fnd_motion *motion,
                              fender_error *error);
void fnd_motion_close(fnd_motion *motion);
static inline const fender_pose *fnd_motion_pose(const fnd_motion *motion, int frame, int body)
{
    return &motion->poses[(ptrdiff_t)frame * motion->body_count + body];
}
/* Does the body stay where it is? */
bool fnd_motion_is_still(const fnd_motion *motion, int body);

#endif
