/* A glTF 2.0 file being made: nodes, meshes and one animation. */
#ifndef FND_REPORT_GLTF_H
#define FND_REPORT_GLTF_H

#include "report/solids.h"
#include "support/memory.h"

typedef struct fnd_gltf {
    fender_allocator allocator;
    fnd_buffer nodes, views, accessors, meshes, materials, channels, samplers, bytes;
    int node_count, view_count, accessor_count, mesh_count, material_count, channel_count;
    int times; /* accessor of the animation's times; -1: nothing moves */
    int frames;
} fnd_gltf;

/* Place, turn and size against the parent's; of a node that is animated those of its first frame. */
typedef struct fnd_gltf_place {
    fender_vec3 translation, scale;
    fender_quaternion rotation;
} fnd_gltf_place;

fnd_gltf fnd_gltf_open(const fender_allocator *allocator);
void fnd_gltf_close(fnd_gltf *g);
/* Times of all animations, rising as floats from 0 on. */
void fnd_gltf_set_times(fnd_gltf *g, const float *times, int count);

/* Each returns the number of what it adds. */
int fnd_gltf_material(fnd_gltf *g, double red, double green, double blue);
/* -1: the solid has nothing to show. */
int fnd_gltf_mesh(fnd_gltf *g, const fnd_solid *solid, int material);
int fnd_gltf_node(fnd_gltf *g, const char *name, const fnd_gltf_place *place, int mesh);
/* The parent of nodes `first` to before `end`; `extras`: its own JSON object. */
int fnd_gltf_group(fnd_gltf *g, const char *name, int first, int end, const char *extras);
/* Moves a node: one place for each time. Quaternions are kept on one side, so that what lies between is the short way.
 */
void fnd_gltf_animate(fnd_gltf *g, int node, const fnd_gltf_place *places, bool scaled);

/* The file; its root turns z upward to glTF's y and holds the nodes of `roots`. `extras` belongs to it. */
fender_status fnd_gltf_write(fnd_gltf *g, const int *roots, int root_count, const char *extras, const char *path,
                             fender_error *error);

#endif
