/* Which damping gives the law `smooth_spring_damper` a wanted restitution. */
#ifndef FND_LAW_SMOOTH_RESTITUTION_H
#define FND_LAW_SMOOTH_RESTITUTION_H

/* The damping ratio b / (2 sqrt(k m)); scaled_speed = v sqrt(m / k) / w, the undamped depth in transition widths. NaN
 * when there is none. */
double fnd_smooth_restitution_ratio(double restitution, double scaled_speed);

#endif
