/* Sine and cosine of angles in degrees and radians: the same bits on every machine. */
#ifndef FND_SCENARIO_TRIGONOMETRY_H
#define FND_SCENARIO_TRIGONOMETRY_H

typedef struct fnd_sine_cosine {
    double sine, cosine;
} fnd_sine_cosine;

/* Exact at multiples of 90 degrees, and where a value is 1/2; elsewhere within 1 ulp. */
fnd_sine_cosine fnd_sine_cosine_degrees(double degrees);
/* Within 1 ulp for |radians| <= 1e5; beyond that the error grows with the angle (2e-17 relative to the angle). */
fnd_sine_cosine fnd_sine_cosine_radians(double radians);

#endif
