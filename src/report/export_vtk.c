/* A run as VTK: files of PolyData, and what of a run goes into them. */
#include "report/motion.h"
#include "report/solids.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* One value a point, or a cell. `type`: "Float64", "Int32", or "String" with a NUL behind each word. */
typedef struct fnd_vtk_array {
    const char *type, *name;
    int components;
    const char *bytes;
    size_t length;
} fnd_vtk_array;

typedef struct fnd_vtk_piece {
    const char *cells;            /* "Verts", "Lines" or "Polys" */
    int points, count;            /* of points and of cells */
    int corners;                  /* points of one cell */
    const char *places;           /* m; three doubles a point */
    const int32_t *corner_points; /* `corners` for each cell; NULL: 0, 1, 2, .. */
    const fnd_vtk_array *point_arrays, *cell_arrays;
    int point_array_count, cell_array_count;
} fnd_vtk_piece;

static fender_status fnd_vtk_write(const fender_allocator *allocator, const fnd_vtk_piece *piece, const char *path,
                                   fender_error *error);

/* ---- files */

typedef struct vtk_file {
    fnd_buffer head, data; /* data: sizes and arrays */
} vtk_file;

static void add_array(vtk_file *file, const fnd_vtk_array *array)
{
    const uint64_t length = array->length;
    fnd_buffer_appendf(&file->head,
                       "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
                       "offset=\"%zu\"/>\n",
                       array->type, array->name, array->components, file->data.length);
    fnd_buffer_append(&file->data, (const char *)&length, sizeof length);
    if (length > 0) fnd_buffer_append(&file->data, array->bytes, array->length);
}

static void add_section(vtk_file *file, const char *name, const fnd_vtk_array *arrays, int count)
{
    if (count == 0) return;
    fnd_buffer_appendf(&file->head, "<%s>\n", name);
    for (int i = 0; i < count; i++) add_array(file, &arrays[i]);
    fnd_buffer_appendf(&file->head, "</%s>\n", name);
}

static void add_numbers(fnd_buffer *buffer, int count, int from, int by)
{
    for (int32_t i = 0; i < count; i++) {
        const int32_t number = from + by * i;
        fnd_buffer_append(buffer, (const char *)&number, sizeof number);
    }
}

static void add_cells(vtk_file *file, const fnd_vtk_piece *piece, fnd_buffer *scratch)
{
    const int corners = piece->count * piece->corners;
    fnd_vtk_array cells[2] = {
        {"Int32", "connectivity", 1, (const char *)piece->corner_points, (size_t)corners * sizeof(int32_t)},
        {"Int32", "offsets", 1, NULL, (size_t)piece->count * sizeof(int32_t)}};
    add_numbers(scratch, piece->count, piece->corners, piece->corners);
    if (!piece->corner_points) add_numbers(scratch, corners, 0, 1);
    if (scratch->failed) return;
    cells[1].bytes = fnd_buffer_text(scratch);
    if (!piece->corner_points) cells[0].bytes = fnd_buffer_text(scratch) + cells[1].length;
    add_section(file, piece->cells, cells, 2);
}

/* Written once and often: without waiting for the disk at each of thousands of files. */
static fender_status write_parts(const vtk_file *file, const fender_allocator *allocator, const char *path,
                                 fender_error *error)
{
    fnd_writer writer;
    fender_status status = fnd_writer_open(&writer, allocator, path, 0, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_writer_bytes(&writer, file->head.text, file->head.length);
    fnd_writer_bytes(&writer, file->data.text, file->data.length);
    fnd_writer_text(&writer, "\n</AppendedData>\n</VTKFile>\n");
    return fnd_writer_close(&writer, false, error);
}

static fender_status fnd_vtk_write(const fender_allocator *allocator, const fnd_vtk_piece *piece, const char *path,
                                   fender_error *error)
{
    const uint16_t order = 1;
    const fnd_vtk_array places = {"Float64", "Points", 3, piece->places, (size_t)piece->points * 3 * sizeof(double)};
    vtk_file file = {fnd_buffer_open(allocator), fnd_buffer_open(allocator)};
    fnd_buffer scratch = fnd_buffer_open(allocator);
    fnd_buffer_appendf(&file.head,
                       "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" "
                       "header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"%d\" NumberOf%s=\"%d\">\n",
                       *(const unsigned char *)&order ? "LittleEndian" : "BigEndian", piece->points, piece->cells,
                       piece->count);
    add_section(&file, "PointData", piece->point_arrays, piece->point_array_count);
    add_section(&file, "CellData", piece->cell_arrays, piece->cell_array_count);
    add_section(&file, "Points", &places, 1);
    add_cells(&file, piece, &scratch);
    fnd_buffer_append_text(&file.head, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    fender_status status = file.head.failed || file.data.failed || scratch.failed
                               ? fnd_io_fail_memory(error, "a VTK file")
                               : write_parts(&file, allocator, path, error);
    fnd_buffer_close(&scratch);
    fnd_buffer_close(&file.data);
    fnd_buffer_close(&file.head);
    return status;
}

/* ---- the run */

enum { NAME_SIZE = 200, PATH_SIZE = 4096 };

static fender_status make_folder(const char *folder, fender_error *error)
{
    struct stat about;
    if (mkdir(folder, 0777) == 0) return FENDER_STATUS_OK;
    const int reason = errno;
    if (reason == EEXIST && stat(folder, &about) == 0 && S_ISDIR(about.st_mode)) return FENDER_STATUS_OK;
    if (reason != EEXIST) return fnd_system_fail(error, "make the folder", folder, reason);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = folder, .message = "the folder cannot be created",
                       .found = "a file with that name", .expected = "a folder, or an unused name",
                       .suggestion = "name another folder");
}

typedef struct vtk_export {
    const fnd_motion_record *motion;
    const char *folder;
    fnd_buffer list;              /* of the files, with their times */
    fnd_buffer places, values[5]; /* of one file */
} vtk_export;

static void put(fnd_buffer *buffer, double value) { fnd_buffer_append(buffer, (const char *)&value, sizeof value); }

static void put_vector(fnd_buffer *buffer, fender_vec3 v)
{
    put(buffer, v.x);
    put(buffer, v.y);
    put(buffer, v.z);
}

static fnd_vtk_array array_of(const fnd_buffer *values, const char *type, const char *name, int components)
{
    return (fnd_vtk_array){type, name, components, fnd_buffer_text(values), values->length};
}

static void clear(vtk_export *e)
{
    fnd_buffer_clear(&e->places);
    for (size_t i = 0; i < sizeof e->values / sizeof e->values[0]; i++) fnd_buffer_clear(&e->values[i]);
}

/* Enters the file of a frame into the list; NAME.vtp when one serves all frames. No body has a point or a hyphen in its
 * name: files of different things have different names. */
static void enlist(vtk_export *e, int frame, int part, const char *name, bool still, char *path)
{
    char file[NAME_SIZE];
    if (still) snprintf(file, sizeof file, "%.160s.vtp", name);
    else snprintf(file, sizeof file, "%.160s.%04d.vtp", name, frame);
    fnd_buffer_append_text(&e->list, "<DataSet timestep=\"");
    fnd_buffer_append_number(&e->list, e->motion->times[frame]);
    fnd_buffer_appendf(&e->list, "\" part=\"%d\" name=\"%s\" file=\"%s\"/>\n", part, name, file);
    snprintf(path, PATH_SIZE, "%s/%s", e->folder, file);
}

static fender_status write_piece(vtk_export *e, fnd_vtk_piece *piece, const char *path, fender_error *error)
{
    bool failed = e->places.failed;
    for (size_t i = 0; i < sizeof e->values / sizeof e->values[0]; i++) failed |= e->values[i].failed;
    if (failed) return fnd_io_fail_memory(error, "a VTK file");
    piece->places = fnd_buffer_text(&e->places);
    return fnd_vtk_write(&e->motion->env.allocator, piece, path, error);
}

/* Files of one body. What stays where it is has one file for all times. */
static fender_status write_body(vtk_export *e, int body, fender_error *error)
{
    const fnd_motion_record *m = e->motion;
    const fender_body_id id = fender_body_at(m->world, body);
    const bool still = fnd_motion_is_still(m, body);
    fnd_solid solid = fnd_solid_open(&m->env.allocator);
    fnd_solid_add_body(&solid, m->world, id, m->extent);
    fender_status status = solid.failed ? fnd_io_fail_memory(error, "the solid of a body") : FENDER_STATUS_OK;
    for (int i = 0; solid.triangle_count > 0 && i < m->frame_count && status == FENDER_STATUS_OK; i++) {
        char path[PATH_SIZE];
        enlist(e, i, body, fender_body_name(m->world, id), still, path);
        if (still && i > 0) continue;
        const fender_pose *X = fnd_motion_pose(m, i, body);
        const fender_mat3 R = fender_quaternion_matrix(X->q);
        clear(e);
        for (int k = 0; k < solid.point_count; k++)
            put_vector(&e->places, fender_vec3_add(X->p, fender_mat3_times(&R, solid.points[k])));
        fnd_vtk_piece piece = {.cells = "Polys",
                               .points = solid.point_count,
                               .count = solid.triangle_count,
                               .corners = 3,
                               .corner_points = solid.triangles};
        status = write_piece(e, &piece, path, error);
    }
    fnd_solid_close(&solid);
    return status;
}

/* A point for each contact, with its figures. Frames without one have an empty file, so that all have the same arrays.
 */
static fender_status write_contacts(vtk_export *e, fender_error *error)
{
    const fnd_motion_record *m = e->motion;
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; m->pair_count > 0 && i < m->frame_count && status == FENDER_STATUS_OK; i++) {
        char path[PATH_SIZE];
        enlist(e, i, m->body_count, "contact-points", false, path);
        clear(e);
        for (size_t k = m->contact_from[i]; k < m->contact_from[i + 1]; k++) {
            const fnd_motion_contact *contact = &m->contacts[k];
            const char *pair = m->pairs[contact->pair];
            put_vector(&e->places, contact->point);
            put_vector(&e->values[0], contact->force);
            put(&e->values[1], contact->depth);
            put(&e->values[2], contact->normal_force);
            put(&e->values[3], contact->friction_force);
            fnd_buffer_append(&e->values[4], pair, strlen(pair) + 1);
        }
        const int count = (int)(m->contact_from[i + 1] - m->contact_from[i]);
        const fnd_vtk_array arrays[] = {
            array_of(&e->values[0], "Float64", "force", 3), array_of(&e->values[1], "Float64", "depth", 1),
            array_of(&e->values[2], "Float64", "normal_force", 1),
            array_of(&e->values[3], "Float64", "friction_force", 1), array_of(&e->values[4], "String", "pair", 1)};
        fnd_vtk_piece piece = {.cells = "Verts",
                               .points = count,
                               .count = count,
                               .corners = 1,
                               .point_arrays = arrays,
                               .point_array_count = sizeof arrays / sizeof arrays[0]};
        status = write_piece(e, &piece, path, error);
    }
    return status;
}

/* A line for each link that holds, from end to end. */
static fender_status write_links(vtk_export *e, fender_error *error)
{
    const fnd_motion_record *m = e->motion;
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; m->link_count > 0 && i < m->frame_count && status == FENDER_STATUS_OK; i++) {
        char path[PATH_SIZE];
        int count = 0;
        enlist(e, i, m->body_count + 1, "link-lines", false, path);
        clear(e);
        for (int k = 0; k < m->link_count; k++) {
            const fnd_motion_link *link = &m->links[k];
            if (i < link->first || i >= link->frame_end) continue;
            const fender_vec3 a = fnd_motion_link_end(m, i, link, 0), b = fnd_motion_link_end(m, i, link, 1);
            put_vector(&e->places, a);
            put_vector(&e->places, b);
            put(&e->values[0], fender_vec3_length(fender_vec3_sub(b, a)));
            fnd_buffer_append(&e->values[1], link->name, strlen(link->name) + 1);
            count++;
        }
        const fnd_vtk_array arrays[] = {array_of(&e->values[0], "Float64", "length", 1),
                                        array_of(&e->values[1], "String", "link", 1)};
        fnd_vtk_piece piece = {.cells = "Lines",
                               .points = 2 * count,
                               .count = count,
                               .corners = 2,
                               .cell_arrays = arrays,
                               .cell_array_count = sizeof arrays / sizeof arrays[0]};
        status = write_piece(e, &piece, path, error);
    }
    return status;
}

fender_status fender_export_vtk(const fender_env *env, const char *run_directory, const char *folder, int frames,
                                fender_error *error)
{
    fnd_motion_record motion;
    if (!fnd_io_env_usable(env, error)) return FENDER_STATUS_ARGUMENT;
    if (!env || !run_directory || !folder || frames < 0 || strlen(folder) > PATH_SIZE - NAME_SIZE - 2)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT,
                           .message = "env, a run directory and a folder are needed",
                           .expected = "pointers that are not NULL, frames not negative, a path "
                                       "of less than 3900 bytes");
    fender_status status = fnd_motion_read(env, run_directory, frames, &motion, error);
    if (status != FENDER_STATUS_OK) return status;
    vtk_export e = {.motion = &motion, .folder = folder};
    fnd_buffer *const all[] = {&e.list,      &e.places,    &e.values[0], &e.values[1],
                               &e.values[2], &e.values[3], &e.values[4]};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) *all[i] = fnd_buffer_open(&env->allocator);
    fnd_buffer_append_text(&e.list, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n"
                                    "<Collection>\n");
    status = make_folder(folder, error);
    for (int i = 0; i < motion.body_count && status == FENDER_STATUS_OK; i++) status = write_body(&e, i, error);
    if (status == FENDER_STATUS_OK) status = write_contacts(&e, error);
    if (status == FENDER_STATUS_OK) status = write_links(&e, error);
    fnd_buffer_append_text(&e.list, "</Collection>\n</VTKFile>\n");
    if (status == FENDER_STATUS_OK) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/run.pvd", folder);
        status = e.list.failed ? fnd_io_fail_memory(error, "the list of VTK files")
                               : fnd_file_write(path, e.list.text, e.list.length, error);
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) fnd_buffer_close(all[i]);
    fnd_motion_close(&motion);
    return status;
}
