/* Moduli and radii of elastic bodies that touch. */
#include <stdio.h>

#include "base/error.h"
#include "law/ellipse.h"
#include "law/hertz.h"

double fnd_hertz_modulus(const fnd_hertz_bodies *p)
{
    if (p->modulus > 0) return p->modulus;
    if (p->young_b > 0) return fender_hertz_modulus(p->young, p->poisson, p->young_b, p->poisson_b);
    return 0.5 * p->young / (1 - p->poisson * p->poisson);
}

static double at_least(double curvature, double least) { return curvature > least ? curvature : least; }

/* Principal relative curvatures, those of the largest radius at least. */
static void curvatures_of(const fnd_hertz_bodies *p, const fender_contact_surface *surface, double *first,
                          double *second)
{
    double least = 1 / p->largest_radius;
    *first = surface ? at_least(surface->relative.first, least) : least;
    *second = surface ? at_least(surface->relative.second, least) : least;
}

double fnd_hertz_radius(const fnd_hertz_bodies *p, const fender_contact_surface *surface)
{
    double first, second;
    if (p->radius > 0) return p->radius;
    curvatures_of(p, surface, &first, &second);
    return 1 / sqrt(first * second);
}

double fnd_hertz_stiffness(const fnd_hertz_bodies *p, const fender_contact_surface *surface)
{
    double first, second, modulus = fnd_hertz_modulus(p);
    if (p->radius > 0) return 4.0 / 3 * modulus * sqrt(p->radius);
    curvatures_of(p, surface, &first, &second);
    /* what differs by rounding alone is round */
    if (first - second <= 1e-14 * first) return 4.0 / 3 * modulus * sqrt(1 / first);
    return modulus * fnd_ellipse_stiffness(first, second, NULL);
}

fender_status fnd_modulus_check(double modulus, double young, const char *symbol, fender_error *error)
{
    bool one = modulus > 0, other = young > 0;
    char suggestion[64];
    if (one != other) return FENDER_STATUS_OK;
    snprintf(suggestion, sizeof suggestion, one ? "leave one of them out" : "give %s as modulus, or young and poisson",
             symbol);
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, one ? "young" : "modulus",
                                       one ? "modulus and young are both given" : "neither modulus nor young is given",
                                       one ? "both" : "neither", "one of the two", suggestion});
}

fender_status fnd_hertz_check(const fnd_hertz_bodies *p, fender_error *error)
{
    return fnd_modulus_check(p->modulus, p->young, "E*", error);
}

double fnd_derive_modulus(const void *parameters, const fender_intent *intent)
{
    (void)parameters;
    return intent->modulus;
}

double fnd_derive_modulus_of_sink(const void *parameters, const fender_intent *intent)
{
    (void)parameters;
    return 0.75 * intent->weight / (intent->sink * sqrt(intent->radius * intent->sink));
}
