/* The vertices and polygons that readers find: arrays that grow. */
#include "import/import.h"

#include <string.h>

#define COUNT_LIMIT ((size_t)INT32_MAX)

static bool resize(fnd_import *import, void **array, size_t *capacity, size_t count, size_t wanted, size_t size)
{
    void *memory = fnd_import_allocate(import, wanted, size);
    if (!memory) return false;
    if (*array) {
        memcpy(memory, *array, count * size);
        fnd_import_release(import, *array, *capacity, size);
    }
    *array = memory;
    *capacity = wanted;
    return true;
}

static bool grow(fnd_import *import, void **array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity) return true;
    if (count >= COUNT_LIMIT)
        return fnd_import_refuse_value(import, "the file has more vertices or corners than can be counted",
                                       "2147483647 and more", "fewer than 2147483647", "divide the file");
    return resize(import, array, capacity, count, count < 256 ? 512 : 2 * count, size);
}

bool fnd_import_reserve(fnd_import *import, size_t vertices, size_t corners, size_t polygons)
{
    void *v = import->vertices, *c = import->corners, *s = import->sizes;
    bool good = vertices <= import->vertex_capacity ||
                resize(import, &v, &import->vertex_capacity, import->vertex_count, vertices, sizeof(fender_vec3));
    import->vertices = v;
    good = good && (corners <= import->corner_capacity ||
                    resize(import, &c, &import->corner_capacity, import->corner_count, corners, sizeof(int32_t)));
    import->corners = c;
    good = good && (polygons <= import->size_capacity ||
                    resize(import, &s, &import->size_capacity, import->size_count, polygons, sizeof(int32_t)));
    import->sizes = s;
    return good;
}

bool fnd_import_vertex(fnd_import *import, double x, double y, double z)
{
    void *array = import->vertices;
    if (!grow(import, &array, &import->vertex_capacity, import->vertex_count, sizeof(fender_vec3))) return false;
    import->vertices = array;
    import->vertices[import->vertex_count++] = fender_vec3_make(x, y, z);
    return true;
}

bool fnd_import_corner(fnd_import *import, int32_t vertex)
{
    void *array = import->corners;
    if (!grow(import, &array, &import->corner_capacity, import->corner_count, sizeof(int32_t))) return false;
    import->corners = array;
    import->corners[import->corner_count++] = vertex;
    return true;
}

bool fnd_import_polygon(fnd_import *import, size_t size)
{
    void *array = import->sizes;
    if (!grow(import, &array, &import->size_capacity, import->size_count, sizeof(int32_t))) return false;
    import->sizes = array;
    import->sizes[import->size_count++] = (int32_t)size;
    return true;
}
