/* Hertz's contact of surfaces that are curved differently along two directions. */
#ifndef FND_LAW_ELLIPSE_H
#define FND_LAW_ELLIPSE_H

/* F / (E* d^1.5) [m^0.5] for the principal relative curvatures first >= second > 0 [1/m]; 4/3 sqrt(R) for equal ones.
 * *axis_ratio (NULL: not asked): short over long half axis of the ellipse of contact. */
double fnd_ellipse_stiffness(double first, double second, double *axis_ratio);

#endif
