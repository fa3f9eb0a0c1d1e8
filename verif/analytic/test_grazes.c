/* Grazes of 1e-6 to 1e-3 m, and near misses by as much, of flying and turning bodies: each graze is found once and at
 * its time, no miss is, however long the steps are.
 *
 * The springs are so weak (1e-10 N/m) that nothing is turned aside: the gap is a known function of time. Spheres fly
 * straight; the axis of a capsule with equal cross moments I turns about its angular momentum L at |L| / I. */
#include "check.h"
#include "scene.h"

#ifndef GRAZES_PART /* of the cases; slow/test_grazes.c runs them all */
#define GRAZES_PART 4
#endif

typedef struct row {
    fender_integrator_method method;
    double step, tolerance;
    double
        gap_error; /* m; of the method when a capsule spins about its own axis, too; all other motion here is exact */
} row;
static const row rows[] = {
    {FENDER_INTEGRATOR_RK4, 20e-3, 0, 3e-6},
    {FENDER_INTEGRATOR_DOPRI5, 1, 1e-12, 1e-10},
    {FENDER_INTEGRATOR_DOP853, 1, 1e-12, 1e-10},
};

/* Body 0 (a sphere, or a capsule) and spheres beside it; what is known of their motion. */
typedef struct flight {
    scene s;
    double length;                /* half length of the capsule */
    fender_vec3 axis, precession; /* at the start; rad/s */
    double until;
} flight;

static fender_vec3 axis_at(const flight *f, double t)
{
    double rate = fender_vec3_length(f->precession);
    if (rate == 0) return f->axis;
    fender_vec3 n = fender_vec3_scale(1 / rate, f->precession), across = fender_vec3_cross(n, f->axis);
    fender_vec3 along = fender_vec3_scale(fender_vec3_dot(n, f->axis), n), part = fender_vec3_sub(f->axis, along);
    return fender_vec3_add(
        along, fender_vec3_add(fender_vec3_scale(cos(rate * t), part), fender_vec3_scale(sin(rate * t), across)));
}

/* Distance of the centre of sphere `k` from the core of body 0. */
static double distance_at(const flight *f, int k, double t)
{
    const fender_body_state *a = &f->s.bodies[0].state, *b = &f->s.bodies[k].state;
    fender_vec3 d = fender_vec3_add_scaled(fender_vec3_sub(b->position, a->position), t,
                                           fender_vec3_sub(b->velocity, a->velocity));
    if (f->s.bodies[k].motion == FENDER_MOTION_FIXED) /* else both fall alike */
        d = fender_vec3_add_scaled(d, -0.5 * t * t, f->s.world.gravity.acceleration);
    fender_vec3 u = axis_at(f, t);
    double along = fender_vec3_dot(d, u);
    if (along > f->length) along = f->length;
    if (along < -f->length) along = -f->length;
    return fender_vec3_length(fender_vec3_add_scaled(d, -along, u));
}

static double gap_at(const flight *f, int k, double t)
{
    return distance_at(f, k, t) - f->s.bodies[0].shapes[0].radius - f->s.bodies[k].shapes[0].radius;
}

/* Where the gap is least between two times with one valley between them. */
static double valley(const flight *f, int k, double low, double high)
{
    const double part = 0.38196601125010515;
    double one = low + part * (high - low), two = high - part * (high - low);
    double at_one = distance_at(f, k, one), at_two = distance_at(f, k, two);
    for (int i = 0; i < 60; i++) {
        if (at_one < at_two) {
            high = two, two = one, at_two = at_one;
            one = low + part * (high - low), at_one = distance_at(f, k, one);
        } else {
            low = one, one = two, at_one = at_two;
            two = high - part * (high - low), at_two = distance_at(f, k, two);
        }
    }
    return 0.5 * (low + high);
}

/* All valleys of the distance from sphere k, found on a grid much finer than the motion. */
enum { VALLEYS = 32 };
static int valleys(const flight *f, int k, double *times)
{
    enum { GRID = 4000 };
    int count = 0;
    double before = distance_at(f, k, 0), now = distance_at(f, k, f->until / GRID);
    for (int i = 2; i <= GRID && count < VALLEYS; i++) {
        double next = distance_at(f, k, i * f->until / GRID);
        if (now < before && now <= next) times[count++] = valley(f, k, (i - 2) * f->until / GRID, i * f->until / GRID);
        before = now, now = next;
    }
    return count;
}

static double crossing(const flight *f, int k, double apart, double together)
{
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (apart + together);
        if (gap_at(f, k, middle) > 0) apart = middle;
        else together = middle;
    }
    return apart;
}

typedef struct graze {
    int other; /* body */
    double touch, release, rate;
} graze;

/* What must happen, in order of the bodies; -1 when the case is too near to a border to be asked. */
static int expected(const flight *f, graze *list, int capacity)
{
    int count = 0;
    for (int k = 1; k < f->s.body_count; k++) {
        double times[VALLEYS + 2] = {0};
        int n = valleys(f, k, times + 1);
        if (n >= VALLEYS || gap_at(f, k, 0) <= 0 || gap_at(f, k, f->until) <= 0) return -1;
        times[n + 1] = f->until;
        for (int i = 1; i <= n; i++) {
            double gap = gap_at(f, k, times[i]);
            if (fabs(gap) < 0.9e-6) return -1;
            if (gap > 0) continue;
            if (count >= capacity) return -1;
            double before = times[i - 1], after = times[i + 1]; /* past the ridges between the valleys */
            for (int j = 1; j < 2000; j++) {
                double t = times[i] - j * (times[i] - times[i - 1]) / 2000;
                if (gap_at(f, k, t) > 0) {
                    before = t;
                    break;
                }
            }
            for (int j = 1; j < 2000; j++) {
                double t = times[i] + j * (times[i + 1] - times[i]) / 2000;
                if (gap_at(f, k, t) > 0) {
                    after = t;
                    break;
                }
            }
            graze g = {k, crossing(f, k, before, times[i]), crossing(f, k, after, times[i]), 0};
            if (gap < -0.05 || gap_at(f, k, before) <= 0 || gap_at(f, k, after) <= 0) return -1;
            double h = 1e-5 * (g.release - g.touch);
            g.rate = fabs(gap_at(f, k, g.touch + h) - gap_at(f, k, g.touch - h)) / (2 * h);
            if (g.rate < 1e-5) return -1;
            list[count++] = g;
        }
    }
    return count;
}

/* ---- cases */

static flight start(int count)
{
    flight f = {.s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1e-10, 0, 0, 1e-3, 0}), .until = 6};
    f.s.world.locate_events = true;
    f.s.body_count = count;
    for (int i = 0; i < count; i++) f.s.bodies[i] = scene_ball(i, 100, 0.5);
    return f;
}

/* The radius of sphere k such that the deepest valley has this gap. */
static bool set_radius(flight *f, int k, double gap)
{
    double times[VALLEYS], least = INFINITY;
    int n = valleys(f, k, times);
    for (int i = 0; i < n; i++)
        if (distance_at(f, k, times[i]) < least) least = distance_at(f, k, times[i]);
    double radius = least - gap - f->s.bodies[0].shapes[0].radius;
    f->s.bodies[k].shapes[0].radius = radius;
    return n > 0 && n < VALLEYS && radius > 0.05 && radius < 2;
}

static double random_gap(random_stream *r, bool miss) { return (miss ? 1 : -1) * random_magnitude(r, 1e-6, 1e-3); }

/* One sphere past two others, far apart in time: straight on, seconds of nothing between. */
static bool two_spheres(random_stream *r, bool miss, flight *f)
{
    *f = start(3);
    f->s.bodies[0].state.velocity = fender_vec3_scale(random_between(r, 1, 3), random_direction(r));
    for (int k = 1; k < 3; k++) {
        double when = k == 1 ? random_between(r, 0.7, 2) : random_between(r, 3.5, 5.5);
        fender_vec3 v = random_in_ball(r, 0.3), way = fender_vec3_sub(f->s.bodies[0].state.velocity, v);
        fender_vec3 side = fender_vec3_cross(way, random_direction(r));
        side = fender_vec3_scale(random_between(r, 0.7, 1.2) / fender_vec3_length(side), side);
        f->s.bodies[k].state.velocity = v;
        f->s.bodies[k].state.position = fender_vec3_add_scaled(side, when, way);
        if (!set_radius(f, k, random_gap(r, miss))) return false;
    }
    /* the two themselves must not meet: they may touch nothing but the flyer */
    fender_vec3 d = fender_vec3_sub(f->s.bodies[2].state.position, f->s.bodies[1].state.position);
    fender_vec3 v = fender_vec3_sub(f->s.bodies[2].state.velocity, f->s.bodies[1].state.velocity);
    for (double t = 0; t <= f->until; t += 0.1)
        if (fender_vec3_length(fender_vec3_add_scaled(d, t, v)) < 1.9) return false;
    return true;
}

/* A capsule that turns, about a cross axis, or (top) about its own as well, past a sphere. */
static bool turning(random_stream *r, bool miss, bool top, double drift, flight *f)
{
    *f = start(2);
    if (drift < 1e-2) f->until = 20;
    scene_body *body = &f->s.bodies[0];
    body->shapes[0].radius = random_between(r, 0.05, 0.3);
    body->shapes[0].half_length = f->length = random_between(r, 0.5, 1.5);
    double cross = 0.4 * body->mass_properties.mass, axial = 0.3 * cross;
    body->mass_properties.inertia = fender_mat3_diagonal(cross, cross, axial);
    body->state.attitude = random_rotation(r);
    fender_vec3 w = random_direction(r);
    w.z = 0;
    w = fender_vec3_scale(random_between(r, 0.3, 2) / fender_vec3_length(w), w);
    if (top) w.z = random_between(r, -2, 2);
    body->state.angular_velocity = w;
    f->axis = fender_quaternion_rotate(body->state.attitude, fender_vec3_make(0, 0, 1));
    f->precession = fender_quaternion_rotate(body->state.attitude,
                                             fender_vec3_make(w.x, w.y, axial / cross * w.z)); /* L / I */
    f->s.bodies[1].state.velocity = fender_vec3_scale(drift, random_direction(r));
    f->s.bodies[1].state.position = fender_vec3_add_scaled(
        fender_vec3_scale(random_between(r, 0.7, 2), random_direction(r)), -random_between(r, 1, f->until - 1),
        f->s.bodies[1].state.velocity);
    return set_radius(f, 1, random_gap(r, miss));
}

/* A sphere thrown up beside a fixed one, which it passes on its way up and on its way down, or touches from below. */
static bool thrown(random_stream *r, bool miss, flight *f)
{
    *f = start(2);
    f->s.world.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -random_between(r, 0.5, 9.81)}, 0, {0, 0, 0}};
    f->s.bodies[1].motion = FENDER_MOTION_FIXED;
    double speed = -f->s.world.gravity.acceleration.z * random_between(r, 1, 4), when = random_between(r, 0.3, 5);
    f->s.bodies[0].state.velocity = fender_vec3_make(random_between(r, -0.3, 0.3), random_between(r, -0.3, 0.3), speed);
    fender_vec3 place = fender_vec3_scale(when, f->s.bodies[0].state.velocity);
    place = fender_vec3_add_scaled(place, 0.5 * when * when, f->s.world.gravity.acceleration);
    f->s.bodies[1].state.position = fender_vec3_add_scaled(place, random_between(r, 0.7, 1.5), random_direction(r));
    return set_radius(f, 1, random_gap(r, miss));
}

/* A sphere between two fixed ones, which it passes one right after the other. */
static bool between(random_stream *r, bool miss, flight *f)
{
    *f = start(3);
    f->s.bodies[0].state.velocity = fender_vec3_scale(random_between(r, 0.5, 3), random_direction(r));
    double when = random_between(r, 1, 5);
    for (int k = 1; k < 3; k++) {
        f->s.bodies[k].motion = FENDER_MOTION_FIXED;
        fender_vec3 side = fender_vec3_cross(f->s.bodies[0].state.velocity, random_direction(r));
        side = fender_vec3_scale(random_between(r, 0.7, 1.2) / fender_vec3_length(side), side);
        f->s.bodies[k].state.position = fender_vec3_add_scaled(side, when, f->s.bodies[0].state.velocity);
        if (!set_radius(f, k, random_gap(r, miss))) return false;
        when += random_magnitude(r, 1e-3, 0.5);
    }
    return true;
}

typedef enum kind { TWO_SPHERES, BETWEEN, THROWN, TURNING, TOP, AGAIN, KINDS } kind;
static const char *const kind_names[] = {"a sphere past two", "a sphere between two", "a sphere thrown up",
                                         "a turning capsule", "a capsule as a top",   "again and again"};

static bool draw(random_stream *r, kind k, bool miss, flight *f, graze *list, int capacity, int *count)
{
    bool fine = false;
    switch (k) {
    case TWO_SPHERES: fine = two_spheres(r, miss, f); break;
    case BETWEEN: fine = between(r, miss, f); break;
    case THROWN: fine = thrown(r, miss, f); break;
    case TURNING: fine = turning(r, miss, false, random_between(r, 0.2, 1), f); break;
    case TOP: fine = turning(r, miss, true, random_between(r, 0.2, 1), f); break;
    case AGAIN: /* so slow that the two ends graze it in turn, seen as valleys of one function */
        fine = turning(r, miss, false, random_magnitude(r, 1e-6, 1e-4), f);
        break;
    case KINDS: break;
    }
    if (!fine) return false;
    *count = expected(f, list, capacity);
    return miss ? *count == 0 : *count > 0;
}

typedef struct tally {
    int expected, found, wrong;
    double worst, longest_step;
} tally;

static void run_case(flight *f, const row *r, bool exact_motion, const graze *list, int count, tally *sum)
{
    enum { CAPACITY = 64 };
    bool met[CAPACITY] = {false}, left[CAPACITY] = {false};
    f->s.world.method = r->method;
    f->s.world.step = r->step;
    f->s.world.relative_tolerance = r->tolerance;
    fender_world *world = scene_build(&f->s);
    int wrong = 0;
    while (fender_world_time(world) < f->until) {
        double before = fender_world_time(world);
        check_ok(fender_world_step(world, &error));
        if (fender_world_time(world) < f->until)
            sum->longest_step = larger(sum->longest_step, fender_world_time(world) - before);
        int event_count;
        const fender_event *events = fender_world_events(world, &event_count);
        for (int e = 0; e < event_count; e++) {
            bool touch = events[e].kind == FENDER_EVENT_BEGIN;
            if (!touch && events[e].kind != FENDER_EVENT_END) continue;
            if (events[e].time > f->until) continue;
            bool known = false;
            for (int i = 0; i < count && !known; i++) {
                if ((int)events[e].contact.b.index1 != list[i].other + 1 || (touch ? met[i] : left[i])) continue;
                double off = fabs(events[e].time - (touch ? list[i].touch : list[i].release));
                double allowed = 1e-12 + (exact_motion ? 5e-13 : r->gap_error) / list[i].rate; /* rounding of sums */
                if (off > allowed) continue;
                *(touch ? &met[i] : &left[i]) = known = true;
                sum->worst = larger(sum->worst, off * list[i].rate); /* as a gap */
            }
            wrong += !known;
        }
    }
    for (int i = 0; i < count; i++) sum->found += met[i] && left[i];
    sum->expected += count;
    sum->wrong += wrong;
    fender_world_destroy(world);
}

/* `grazing` cases, each with one graze or more, and half as many misses. */
static void all(const row *r, kind k, int grazing)
{
    enum { CAPACITY = 64 };
    tally grazes = {0}, misses = {0};
    for (uint64_t n = 0, done = 0; done < (uint64_t)grazing * 3 / 2; n++) {
        random_stream stream = random_of_case(4700 + (uint64_t)k, n);
        bool miss = done % 3 == 2;
        flight f;
        graze list[CAPACITY];
        int count = 0;
        if (!draw(&stream, k, miss, &f, list, CAPACITY, &count)) continue;
        run_case(&f, r, k != TOP, list, count, miss ? &misses : &grazes);
        done++;
    }
    print_message(
        "%-8s %-19s: %4d of %4d grazes found, %d more, worst gap %.1e m; %d touches at %d misses; longest step "
        "%.2f s\n",
        fender_integrator_name(r->method), kind_names[k], grazes.found, grazes.expected, grazes.wrong, grazes.worst,
        misses.wrong, grazing / 2, grazes.longest_step);
    assert_int_equal(grazes.found, grazes.expected);
    assert_int_equal(grazes.wrong, 0);
    assert_int_equal(misses.wrong, 0);
}

static void every_graze(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!fender_integrator_name(rows[i].method)) continue;
        static const int cases[KINDS] = {250, 150, 250, 250, 150, 100};
        for (int k = 0; k < KINDS; k++)
            if (rows[i].method != FENDER_INTEGRATOR_RK4 || k != TOP) all(&rows[i], (kind)k, cases[k] / GRAZES_PART);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_graze),
    };
    return cmocka_run_group_tests_name("grazes", tests, NULL, NULL);
}
