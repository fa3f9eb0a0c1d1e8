/* Paths of slip, summed over the states of a run. */
#include "record/slide.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const fender_field slide_rows[] = {
    {"slide", "m", "Path over which the shape has slid in contact since the start of the run.", FENDER_FIELD_REAL,
     offsetof(fnd_slide, slide), 0, -INFINITY, INFINITY, 0, NULL},
};

const fender_field_table *fnd_slide_fields(void)
{
    static const fender_field_table table = FENDER_FIELD_TABLE("slide", slide_rows, fnd_slide);
    return &table;
}

void fnd_slides_want(fnd_slides *slides, fender_shape_id shape)
{
    assert(shape.index1 > 0 && shape.index1 <= (uint32_t)slides->count);
    if (slides->items[shape.index1 - 1].wanted) return;
    slides->items[shape.index1 - 1].wanted = true;
    slides->wanted_count++;
}

/* Number of the shape; -1: it is not wanted. */
static int wanted_at(const fnd_slides *slides, fender_shape_id shape)
{
    const int at = (int)shape.index1 - 1;
    return at >= 0 && at < slides->count && slides->items[at].wanted ? at : -1;
}

static void add(fnd_slide *item, double force, double speed)
{
    /* contacts without a force count only while there is no other */
    const double weight = force > 0 ? force : 1e-300;
    item->speed = (item->force * item->speed + weight * speed) / (item->force + weight);
    item->force += weight;
}

void fnd_slides_follow(fnd_slides *slides, const fender_world *world)
{
    if (slides->wanted_count == 0) return;
    const double now = fender_world_time(world), passed = now - slides->time;
    const int contacts = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
    for (int i = 0; i < slides->count; i++) {
        fnd_slide *item = &slides->items[i];
        if (passed > 0) item->slide += 0.5 * passed * item->speed; /* the half of the state before */
        item->speed = item->force = 0;
    }
    for (int i = 0; i < contacts; i++) {
        fender_contact contact;
        if (fender_contact_get(world, FENDER_CLOCK_COMMITTED, i, &contact) != FENDER_STATUS_OK || !contact.touching)
            continue;
        const int a = wanted_at(slides, contact.a), b = wanted_at(slides, contact.b);
        const double speed = sqrt(contact.slip.x * contact.slip.x + contact.slip.y * contact.slip.y);
        if (a >= 0) add(&slides->items[a], contact.normal_force, speed);
        if (b >= 0) add(&slides->items[b], contact.normal_force, speed);
    }
    for (int i = 0; i < slides->count; i++)
        if (passed > 0) slides->items[i].slide += 0.5 * passed * slides->items[i].speed;
    slides->time = now;
}

void fnd_slides_show(fnd_slides *slides, const fender_world *world)
{
    if (slides->wanted_count == 0) return;
    fnd_slides_show_accepted(slides);
    slides->shown = true;
    memcpy(slides->aside, slides->items, (size_t)slides->count * sizeof *slides->items);
    slides->aside_time = slides->time;
    fnd_slides_follow(slides, world);
}

void fnd_slides_show_accepted(fnd_slides *slides)
{
    if (!slides->shown) return;
    slides->shown = false;
    memcpy(slides->items, slides->aside, (size_t)slides->count * sizeof *slides->items);
    slides->time = slides->aside_time;
}
