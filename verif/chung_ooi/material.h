/* Materials and spheres of the benchmarks. */
#ifndef VERIF_CHUNG_OOI_MATERIAL_H
#define VERIF_CHUNG_OOI_MATERIAL_H

static const double pi = 3.14159265358979323846;

typedef struct material {
    const char *name;
    double young, poisson, density; /* Pa, 1, kg/m^3 */
} material;

static inline double sphere_mass(const material *m, double radius)
{
    return 4.0 / 3 * pi * radius * radius * radius * m->density;
}

#endif
