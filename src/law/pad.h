/* Area that laws of soil spread their forces over. */
#ifndef FND_LAW_PAD_H
#define FND_LAW_PAD_H

#include <fender/law.h>

/* m^2 of the whole face, 0: not known. The engine takes of the force the share that a point of a patch has of it. */
static inline double fnd_pad_area(double given, const fender_contact_input *in)
{
    if (given > 0) return given;
    return in->area > 0 && in->weight > 0 ? in->area / in->weight : 0;
}

#endif
