/* An ellipse about a planet as a function of time. */
#ifndef FND_PLANET_ORBIT_H
#define FND_PLANET_ORBIT_H

#include <fender/planet.h>

typedef struct fnd_orbit {
    double major, minor; /* m; semi-axes */
    double eccentricity;
    double rate;                     /* rad/s; mean motion */
    double mean_anomaly;             /* rad; at the time of the elements */
    fender_vec3 to_periapsis, ahead; /* unit, in the plane of the orbit */
} fnd_orbit;

/* VALUE with the element at fault; not for hyperbolas. */
fender_status fnd_orbit_make(double mu, const fender_orbit *elements, fnd_orbit *orbit, fender_error *error);
/* Position [m] and velocity [m/s] from the centre, a time [s] after that of the elements. */
void fnd_orbit_at(const fnd_orbit *orbit, double elapsed, fender_vec3 *position, fender_vec3 *velocity);

#endif
