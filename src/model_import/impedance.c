/* MuJoCo's impedance: what solimp makes of a contact, which a spring with a damper does not have. */
#include "model_import/model.h"

static double between(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* getimpedance of MuJoCo's engine, with its limits of the five numbers. */
static double impedance_at(const double solimp[5], double depth)
{
    const double least = 0.0001, most = 0.9999;
    const double first = between(solimp[0], least, most), last = between(solimp[1], least, most);
    const double width = solimp[2], middle = between(solimp[3], least, most), power = solimp[4] > 1 ? solimp[4] : 1;
    if (!(width > 1e-15)) return 0.5 * (first + last);
    const double x = between(depth / width, 0, 1);
    const double y = x <= middle ? middle * pow(x / middle, power)
                                 : 1 - (1 - middle) * pow((1 - x) / (1 - middle), power);
    return first + y * (last - first);
}

bool fnd_model_impedance_varies(const fnd_model_surface *s)
{
    const double first = impedance_at(s->solimp, 0), last = impedance_at(s->solimp, INFINITY);
    return fabs(first - last) > 0.1 * (first > last ? first : last);
}

/* (1 - d) g = (d / d_width)^2 (K / m) p at rest, where g = spring_depth K / m. */
double fnd_model_impedance_rest(const fnd_model_surface *s, double spring_depth)
{
    const double most = between(s->solimp[1], 0.0001, 0.9999);
    double low = 0, high = spring_depth * 1e8; /* (d_width / d)^2 is below */
    for (int i = 0; i < 200 && low < high; i++) {
        const double depth = 0.5 * (low + high), d = impedance_at(s->solimp, depth);
        if (d / most * (d / most) * depth < (1 - d) * spring_depth) low = depth;
        else high = depth;
    }
    return high;
}
