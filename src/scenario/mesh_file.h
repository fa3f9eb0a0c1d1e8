/* Triangles out of STL and OBJ files: corners with the same coordinates become one vertex. */
#ifndef FND_SCENARIO_MESH_FILE_H
#define FND_SCENARIO_MESH_FILE_H

#include "scenario/shape.h"

/* Triangles as a file lists them; the arrays are the reader's own until mesh_file.c takes them over. */
typedef struct fnd_mesh_builder {
    fnd_reader *reader;
    const fnd_source *source;
    fender_vec3 *corners; /* in the unit of the file */
    int corner_count, corner_capacity;
    int32_t *indices; /* three to a triangle */
    int index_count, index_capacity;
} fnd_mesh_builder;
/* False without memory (noted), or with more than there may be. */
bool fnd_mesh_add_corner(fnd_mesh_builder *mesh, fender_vec3 corner);
bool fnd_mesh_add_triangle(fnd_mesh_builder *mesh, int32_t a, int32_t b, int32_t c);
/* PARSE in a line of the file; 0: of the whole file, shown where it is named. */
bool fnd_mesh_complain(fnd_mesh_builder *mesh, int line, const char *message, const char *found, const char *expected,
                       const char *suggestion);

/* mesh_stl.c: text and binary; mesh_obj.c: vertices and polygons. False after a finding. */
bool fnd_mesh_read_stl(fnd_mesh_builder *mesh);
bool fnd_mesh_read_obj(fnd_mesh_builder *mesh);

/* Reads the file that `file` names (.stl, .obj), in the unit that `unit` names, into data->points, triangles, closed.
 * False after a finding. */
bool fnd_mesh_file_read(fnd_reader *reader, const fnd_node *file, const fnd_node *unit, fnd_shape_data *data);
/* Does the name end in one of these, capital letters or not? */
bool fnd_has_ending(const char *name, const char *ending);

#endif
