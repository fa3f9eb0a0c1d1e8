/* Signals: vectors as functions of time. */
#include "dynamics/dynamics.h"

static fender_vec3 table_value(const fender_signal *s, double time)
{
    fender_vec3 zero = {0, 0, 0};
    if (s->count == 0 || time < s->times[0]) return zero;
    if (time >= s->times[s->count - 1])
        return s->after == FENDER_AFTER_HOLD || time == s->times[s->count - 1] ? s->values[s->count - 1] : zero;
    int low = 0, high = s->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s->times[middle] <= time) low = middle;
        else high = middle;
    }
    double part = (time - s->times[low]) / (s->times[high] - s->times[low]);
    return fender_vec3_add_scaled(s->values[low], part, fender_vec3_sub(s->values[high], s->values[low]));
}

fender_vec3 fnd_signal_value(const fender_signal *s, double time)
{
    fender_vec3 zero = {0, 0, 0};
    switch (s->kind) {
    case FENDER_SIGNAL_ZERO: return zero;
    case FENDER_SIGNAL_CONSTANT: return s->constant;
    case FENDER_SIGNAL_RAMP: {
        double length = fender_vec3_length(s->direction);
        if (time <= s->start || length == 0) return zero;
        return fender_vec3_scale(s->rate * (time - s->start) / length, s->direction);
    }
    case FENDER_SIGNAL_TABLE: return table_value(s, time);
    }
    return zero;
}
