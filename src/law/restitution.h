/* What a damper that grows with the depth leaves of the approach speed. */
#ifndef FND_LAW_RESTITUTION_H
#define FND_LAW_RESTITUTION_H

/* N = k d^n (1 + D d') between two bodies, from touch at the speed v to release, with c = D v: the coefficient of
 * restitution e fulfils c (1 + e) = ln((1 + c) / (1 - e c)), whatever k, n and the masses are (from
 * m d'' = -N: d'/(1 + D d') dd' = -(k/m) d^n dd, integrated from touch to release).
 * c for an e in (0, 1]; relative error below 1e-15 / (1 - e). */
double fnd_hunt_crossley_loss(double restitution);
/* e for a c >= 0. */
double fnd_hunt_crossley_restitution(double loss);

#endif
