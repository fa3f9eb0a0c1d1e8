/* What a contact type means for the lightest pair that uses it: frequency, contact time, damping, longest stable step.
 */
#include "step_advice.h"

#include <fender/mass_tree.h>

static const double pi = 3.14159265358979323846;

double fnd_app_reduced_mass(const fender_world *world, fender_body_id a, fender_body_id b)
{
    fender_body_id bodies[2] = {a, b};
    double inverse = 0;
    for (int i = 0; i < 2; i++) {
        fender_body_def def;
        fender_mass_properties whole;
        fender_body_id root = fender_body_root(world, bodies[i]); /* what hangs together is moved together */
        if (fender_body_get_def(world, root, &def) == FENDER_STATUS_OK && def.motion == FENDER_MOTION_DYNAMIC &&
            fender_body_get_mass(world, root, FENDER_MASS_COMPOSITE, &whole) == FENDER_STATUS_OK)
            inverse += 1 / whole.mass;
    }
    return 1 / inverse;
}

static void stiffness_at(const fender_contact_type_def *type, double depth, double *stiffness, double *damping)
{
    const fender_law *law = type->law != NULL ? type->law : type->normal;
    const void *parameters = type->law != NULL ? type->law_parameters : type->normal_parameters;
    fender_contact_input in = {.depth = depth};
    fender_law_stiffness springs = {0};
    law->stiffness(parameters, &in, &springs);
    *stiffness = springs.normal_stiffness;
    *damping = springs.normal_damping;
}

fnd_app_step_advice fnd_app_advise_step(const fender_contact_type_def *type, double mass,
                                        fender_integrator_method method)
{
    fnd_app_step_advice advice = {.mass = mass, .depth = 1e-3};
    const fender_law *law = type->law != NULL ? type->law : type->normal;
    if (law == NULL || law->stiffness == NULL || !isfinite(mass) || !(mass > 0)) return advice;
    double other_stiffness, other_damping;
    stiffness_at(type, advice.depth, &advice.stiffness, &advice.damping);
    stiffness_at(type, 2 * advice.depth, &other_stiffness, &other_damping);
    if (!(advice.stiffness > 0) || !isfinite(advice.stiffness)) return advice;
    double omega = sqrt(advice.stiffness / mass);
    advice.known = true;
    advice.depends_on_depth = other_stiffness != advice.stiffness || other_damping != advice.damping;
    advice.frequency = omega / (2 * pi);
    advice.damping_ratio = advice.damping / (2 * sqrt(advice.stiffness * mass));
    advice.contact_time = advice.damping_ratio < 1
                              ? pi / (omega * sqrt(1 - advice.damping_ratio * advice.damping_ratio))
                              : INFINITY;
    advice.largest_step = fender_integrator_stable_step(method, omega, advice.damping_ratio);
    return advice;
}

/* One rotation of Jacobi's method that clears element (p, q). */
static void jacobi_rotate(fender_mat3 *a, int p, int q)
{
    double apq = a->m[p][q];
    if (apq == 0) return;
    double theta = (a->m[q][q] - a->m[p][p]) / (2 * apq);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double akp = a->m[k][p], akq = a->m[k][q];
        a->m[k][p] = c * akp - s * akq;
        a->m[k][q] = s * akp + c * akq;
    }
    for (int k = 0; k < 3; k++) {
        double apk = a->m[p][k], aqk = a->m[q][k];
        a->m[p][k] = c * apk - s * aqk;
        a->m[q][k] = s * apk + c * aqk;
    }
    a->m[p][q] = a->m[q][p] = 0;
}

fender_vec3 fnd_app_principal_moments(const fender_mat3 *inertia)
{
    fender_mat3 a = *inertia;
    for (int sweep = 0; sweep < 12; sweep++) {
        jacobi_rotate(&a, 0, 1);
        jacobi_rotate(&a, 0, 2);
        jacobi_rotate(&a, 1, 2);
    }
    double v[3] = {a.m[0][0], a.m[1][1], a.m[2][2]};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 - i; k++)
            if (v[k] > v[k + 1]) {
                double swap = v[k];
                v[k] = v[k + 1];
                v[k + 1] = swap;
            }
    return fender_vec3_make(v[0], v[1], v[2]);
}
