/* Objects that channels read, in 64 bits: kind, generation and slot. An object keeps its number while others come and
 * go, and the number is of no other after its end. It leaves out the world, so that worlds that were built in the same
 * way have the same numbers. */
#ifndef FND_RECORD_OBJECT_H
#define FND_RECORD_OBJECT_H

#include <fender/fender.h>

typedef enum fnd_object_kind {
    FND_OBJECT_NONE,
    FND_OBJECT_BODY,
    FND_OBJECT_SHAPE,
    FND_OBJECT_POINT,
    FND_OBJECT_LINK,
    FND_OBJECT_LOAD,
    FND_OBJECT_SENSOR
} fnd_object_kind;

static inline fnd_object_kind fnd_object_kind_of(uint64_t object) { return (fnd_object_kind)(object >> 48); }

/* fnd_object_of_NOUN makes the number of an id, 0 of the null id; fnd_object_NOUN makes the id in a world. */
#define FND_OBJECT_IDS(noun, kind)                                                                               \
    static inline uint64_t fnd_object_of_##noun(fender_##noun##_id id)                                           \
    {                                                                                                            \
        return id.index1 == 0 ? 0 : (uint64_t)(kind) << 48 | (uint64_t)id.generation << 32 | id.index1;          \
    }                                                                                                            \
    static inline fender_##noun##_id fnd_object_##noun(const fender_world *world, uint64_t object)               \
    {                                                                                                            \
        if (fnd_object_kind_of(object) != (kind)) return (fender_##noun##_id){0};                                \
        return (fender_##noun##_id){(uint32_t)object, fender_body_at(world, 0).world, (uint16_t)(object >> 32)}; \
    }
FND_OBJECT_IDS(body, FND_OBJECT_BODY)
FND_OBJECT_IDS(shape, FND_OBJECT_SHAPE)
FND_OBJECT_IDS(point, FND_OBJECT_POINT)
FND_OBJECT_IDS(link, FND_OBJECT_LINK)
FND_OBJECT_IDS(load, FND_OBJECT_LOAD)
FND_OBJECT_IDS(sensor, FND_OBJECT_SENSOR)
#undef FND_OBJECT_IDS

#endif
