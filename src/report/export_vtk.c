/* A run as VTK files for ParaView: a .vtp file for each body and state, a .pvd file that names them with their times.
 * Places are doubles in the world's frame. */
#include "report/motion.h"
#include "report/solids.h"
#include "text/buffer.h"
#include "text/fault.h"
#include "text/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME_SIZE = 200, PATH_SIZE = 4096 };

static fender_status make_folder(const char *folder, fender_error *error)
{
    struct stat about;
    if (mkdir(folder, 0777) == 0) return FENDER_STATUS_OK;
    const int reason = errno;
    if (reason == EEXIST && stat(folder, &about) == 0 && S_ISDIR(about.st_mode)) return FENDER_STATUS_OK;
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_FILE,
                                             .source = folder,
                                             .message = "the folder cannot be made",
                                             .found = reason == EEXIST ? "a file of that name" : "",
                                             .expected = "a folder in one that exists and may be written to",
                                             .suggestion = "name another folder"});
}

/* Arrays stand at the end of the file, each behind its size. */
static void append_array(fnd_buffer *file, size_t *offset, const char *type, const char *name, int components,
                         size_t bytes)
{
    fnd_buffer_appendf(file,
                       "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
                       "offset=\"%zu\"/>\n",
                       type, name, components, *offset);
    *offset += sizeof(uint64_t) + bytes;
}

static void append_size(fnd_buffer *file, uint64_t bytes)
{
    fnd_buffer_append(file, (const char *)&bytes, sizeof bytes);
}

static fender_status write_solid(const fnd_solid *solid, const fender_pose *pose, const char *path, fender_error *error)
{
    const uint16_t order = 1;
    const int points = solid->point_count, triangles = solid->triangle_count;
    const size_t point_bytes = (size_t)points * 3 * sizeof(double),
                 corner_bytes = (size_t)triangles * 3 * sizeof(int32_t),
                 end_bytes = (size_t)triangles * sizeof(int32_t);
    size_t offset = 0;
    fnd_buffer file = fnd_buffer_open(&solid->allocator);
    fnd_buffer_appendf(
        &file,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" "
        "header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"%d\" NumberOfPolys=\"%d\">\n<Points>\n",
        *(const unsigned char *)&order ? "LittleEndian" : "BigEndian", points, triangles);
    append_array(&file, &offset, "Float64", "Points", 3, point_bytes);
    fnd_buffer_append_text(&file, "</Points>\n<Polys>\n");
    append_array(&file, &offset, "Int32", "connectivity", 1, corner_bytes);
    append_array(&file, &offset, "Int32", "offsets", 1, end_bytes);
    fnd_buffer_append_text(&file, "</Polys>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    append_size(&file, point_bytes);
    const fender_mat3 R = fender_quaternion_matrix(pose->q);
    for (int i = 0; i < points; i++) {
        const fender_vec3 p = fender_vec3_add(pose->p, fender_mat3_times(&R, solid->points[i]));
        const double v[3] = {p.x, p.y, p.z};
        fnd_buffer_append(&file, (const char *)v, sizeof v);
    }
    append_size(&file, corner_bytes);
    if (corner_bytes > 0) fnd_buffer_append(&file, (const char *)solid->triangles, corner_bytes);
    append_size(&file, end_bytes);
    for (int32_t i = 1; i <= triangles; i++) {
        const int32_t end = 3 * i;
        fnd_buffer_append(&file, (const char *)&end, sizeof end);
    }
    fnd_buffer_append_text(&file, "\n</AppendedData>\n</VTKFile>\n");
    fender_status status = file.failed ? fnd_io_fail_memory(error, "a VTK file")
                                       : fnd_file_write(path, file.text, file.length, error);
    fnd_buffer_close(&file);
    return status;
}

static bool gather(const fnd_motion *m, int body, fnd_solid *solid)
{
    const fender_body_id id = fender_body_at(m->world, body);
    for (int i = 0; i < fender_shape_count(m->world); i++) {
        fender_shape_def def;
        const fender_shape_id shape = fender_shape_at(m->world, i);
        if (fender_shape_body(m->world, shape).index1 == id.index1 &&
            fender_shape_get_def(m->world, shape, &def) == FENDER_STATUS_OK)
            fnd_solid_add(solid, def.geometry, &def.X_SG, m->extent);
    }
    return !solid->failed;
}

/* Files of one body, and their lines in the list. What stays where it is has one file for all times. */
static fender_status write_body(const fnd_motion *m, int body, const char *folder, fnd_buffer *list,
                                fender_error *error)
{
    const char *name = fender_body_name(m->world, fender_body_at(m->world, body));
    const bool still = fnd_motion_is_still(m, body);
    fnd_solid solid = fnd_solid_open(&m->env.allocator);
    fender_status status = gather(m, body, &solid) ? FENDER_STATUS_OK
                                                   : fnd_io_fail_memory(error, "the solid of a body");
    for (int i = 0; solid.triangle_count > 0 && i < m->frame_count && status == FENDER_STATUS_OK; i++) {
        char file[NAME_SIZE], path[PATH_SIZE];
        if (still) snprintf(file, sizeof file, "%.160s.vtp", name);
        else snprintf(file, sizeof file, "%.160s_%04d.vtp", name, i);
        fnd_buffer_append_text(list, "<DataSet timestep=\"");
        fnd_buffer_append_number(list, m->times[i]);
        fnd_buffer_appendf(list, "\" part=\"%d\" name=\"%s\" file=\"%s\"/>\n", body, name, file);
        if (still && i > 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, file);
        status = write_solid(&solid, fnd_motion_pose(m, i, body), path, error);
    }
    fnd_solid_close(&solid);
    return status;
}

fender_status fender_export_vtk(const fender_env *env, const char *run_directory, const char *folder, int frames,
                                fender_error *error)
{
    fnd_motion motion;
    if (!env || !run_directory || !folder || frames < 0 || strlen(folder) > PATH_SIZE - NAME_SIZE - 2)
        return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT,
                                                 .message = "env, a run directory and a folder are needed",
                                                 .expected = "pointers that are not NULL, frames not negative, a path "
                                                             "of less than 3900 bytes"});
    fender_status status = fnd_motion_read(env, run_directory, frames, &motion, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_buffer list = fnd_buffer_open(&env->allocator);
    fnd_buffer_append_text(&list, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n"
                                  "<Collection>\n");
    status = make_folder(folder, error);
    for (int i = 0; i < motion.body_count && status == FENDER_STATUS_OK; i++)
        status = write_body(&motion, i, folder, &list, error);
    fnd_buffer_append_text(&list, "</Collection>\n</VTKFile>\n");
    if (status == FENDER_STATUS_OK) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/run.pvd", folder);
        status = list.failed ? fnd_io_fail_memory(error, "the list of VTK files")
                             : fnd_file_write(path, list.text, list.length, error);
    }
    fnd_buffer_close(&list);
    fnd_motion_close(&motion);
    return status;
}
