/* Friction against twisting of a round patch: what its laws share. */
#ifndef FND_LAW_TORSIONAL_H
#define FND_LAW_TORSIONAL_H

#include <fender/law.h>

/* How the load is spread over the patch, which says how far from its middle it presses in the mean. */
typedef enum fnd_pressure { FND_PRESSURE_EVEN, FND_PRESSURE_HERTZ, FND_PRESSURE_RIM } fnd_pressure;
extern const char *const fnd_pressure_names[];

/* Torque per normal force [m]: mu times the mean distance from the middle, 2 R / 3 where pressure is even, 3 pi R / 16
 * of Hertz's pressure, R on a rim. */
double fnd_torsional_arm(double mu, double radius, int pressure);

#define FND_TORSIONAL_FIELDS(type)                                                                                   \
    {"mu",                                                                                                           \
     "1",                                                                                                            \
     "Coefficient of friction in the patch.",                                                                        \
     FENDER_FIELD_REAL,                                                                                              \
     offsetof(type, mu),                                                                                             \
     FENDER_FIELD_REQUIRED,                                                                                          \
     0,                                                                                                              \
     INFINITY,                                                                                                       \
     0,                                                                                                              \
     NULL},                                                                                                          \
        {"radius",                                                                                                   \
         "m",                                                                                                        \
         "Radius of the patch.",                                                                                     \
         FENDER_FIELD_REAL,                                                                                          \
         offsetof(type, radius),                                                                                     \
         FENDER_FIELD_REQUIRED,                                                                                      \
         0,                                                                                                          \
         INFINITY,                                                                                                   \
         0,                                                                                                          \
         NULL},                                                                                                      \
    {                                                                                                                \
        "pressure", "1", "Over the patch: even (torque 2/3 mu N R), hertz (3 pi / 16), rim (1).", FENDER_FIELD_ENUM, \
            offsetof(type, pressure), 0, 0, 2, FND_PRESSURE_EVEN, fnd_pressure_names                                 \
    }

#endif
