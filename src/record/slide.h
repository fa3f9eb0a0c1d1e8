/* How far shapes have slid: sums that a run keeps for those that a channel asks for. */
#ifndef FND_RECORD_SLIDE_H
#define FND_RECORD_SLIDE_H

#include <fender/fender.h>

typedef struct fnd_slide {
    double slide; /* m; path of the slip since the start */
    double speed; /* m/s; at the last state */
    double force; /* N; while states are summed */
    bool wanted;
} fnd_slide;
const fender_field_table *fnd_slide_fields(void);

typedef struct fnd_slides {
    fnd_slide *items; /* by shape: the slot of its id */
    int count, wanted_count;
    double time;       /* s; of the last state; NaN: none yet */
    bool shown;        /* of a state that is only looked at; */
    fnd_slide *aside;  /* then those of the last state, else room for them, */
    double aside_time; /* s; and its time */
} fnd_slides;
/* Follows the shape from the next state on. */
void fnd_slides_want(fnd_slides *slides, fender_shape_id shape);
/* Takes in the present state of the world: a straight line between two states is assumed for the speed. A shape with
 * several contacts slides at the mean of their speeds, by their normal forces. */
void fnd_slides_follow(fnd_slides *slides, const fender_world *world);
/* The same for a state that is only looked at, until fnd_slides_show_accepted. */
void fnd_slides_show(fnd_slides *slides, const fender_world *world);
void fnd_slides_show_accepted(fnd_slides *slides);

#endif
