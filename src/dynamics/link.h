/* Links: force elements between mass points, their evaluation, and what accepted steps do to them. */
#ifndef FND_DYNAMICS_LINK_H
#define FND_DYNAMICS_LINK_H

#include "contact/contact_set.h"
#include <fender/link.h>

/* What a link that acts one way does; others are always loaded. */
typedef enum fnd_link_mode {
    FND_LINK_SLACK,  /* beyond its free length */
    FND_LINK_LOADED, /* spring and damper act */
    FND_LINK_CUT     /* within its range, but its damper would turn its force round: none */
} fnd_link_mode;

/* What a link remembers between accepted steps. */
typedef struct fnd_link_memory {
    bool active, spent, broken;
    int mode; /* fnd_link_mode */
    double damping_loss, peak_force, peak_force_time;
} fnd_link_memory;

typedef struct fnd_link {
    char *name;
    fender_link_law law;
    void *parameters;
    int point_a, point_b;
    fnd_link_memory memory;
} fnd_link;

/* One link at one state. World axes. */
typedef struct fnd_link_value {
    bool there;  /* both trees have states: length and the rest mean something */
    bool acting; /* exerts a wrench on two roots */
    int mode;    /* fnd_link_mode */
    int root_a, root_b;
    double length, rate, force;
    fender_vec3 displacement, rotation; /* of a bushing */
    fender_vec3 lever_a, lever_b;       /* centre of mass of a root to where the force acts on it */
    fender_vec3 force_on_b, torque_on_b;
    double damping_power, stored_energy;
} fnd_link_value;

/* Frames are those of roots. `held`: in the mode that it remembers, wherever the state is (FND_REGIME_HELD). Pure. */
void fnd_link_evaluate(const fnd_link *link, const fnd_contact_model *model, const fnd_frame *frames, bool held,
                       fnd_link_value *value);

/* Functions that are positive while a link goes on as it does, of a value that was evaluated held. `grain`: what
 * rounding makes of its length. */
enum { FND_LINK_ROOT_CAPACITY = 4 };
typedef struct fnd_link_root {
    int number;
    double value, rate; /* per second; NaN when it is not known */
} fnd_link_root;
int fnd_link_roots(const fnd_link *link, const fnd_link_value *value, double grain,
                   fnd_link_root roots[FND_LINK_ROOT_CAPACITY]);

/* What happens to a link at an accepted state. */
typedef enum fnd_link_fate { FND_LINK_GOES_ON, FND_LINK_SPENT, FND_LINK_BREAKS } fnd_link_fate;
fnd_link_fate fnd_link_judge(const fnd_link *link, const fnd_link_value *value);

void fnd_link_release(const fender_env *env, fnd_link *link);

#endif
