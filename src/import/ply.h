/* What the header of a PLY file tells. */
#ifndef FND_IMPORT_PLY_H
#define FND_IMPORT_PLY_H

#include "import/scan.h"

#define FND_PLY_ELEMENT_LIMIT  64
#define FND_PLY_PROPERTY_LIMIT 1024 /* of all elements together */

typedef enum fnd_ply_type {
    FND_PLY_NONE, /* no list */
    FND_PLY_INT8,
    FND_PLY_UINT8,
    FND_PLY_INT16,
    FND_PLY_UINT16,
    FND_PLY_INT32,
    FND_PLY_UINT32,
    FND_PLY_FLOAT32,
    FND_PLY_FLOAT64
} fnd_ply_type;

typedef enum fnd_ply_use { FND_PLY_SKIP, FND_PLY_X, FND_PLY_Y, FND_PLY_Z, FND_PLY_POLYGON, FND_PLY_STRIPS } fnd_ply_use;

typedef struct fnd_ply_property {
    fnd_ply_type count, type; /* count: of a list */
    fnd_ply_use use;
} fnd_ply_property;
typedef struct fnd_ply_element {
    uint64_t count;
    int first, end; /* its properties */
    size_t size;    /* bytes of one in a binary file, lists by their counts alone */
    bool has_list, vertex;
} fnd_ply_element;
typedef struct fnd_ply {
    bool text, big_endian;
    int element_count, property_count;
    fnd_ply_element elements[FND_PLY_ELEMENT_LIMIT];
    fnd_ply_property properties[FND_PLY_PROPERTY_LIMIT];
    uint64_t vertex_count;
    fnd_scan body; /* what follows the header */
} fnd_ply;

bool fnd_ply_read_header(fnd_import *import, fnd_ply *ply);
static inline int fnd_ply_size(fnd_ply_type type)
{
    static const int sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

#endif
