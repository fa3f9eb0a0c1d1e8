/* Files of VTK's PolyData: a description in XML, behind it the arrays as raw bytes, each behind its size. */
#include "report/vtk_file.h"

#include "support/fault.h"
#include "support/file.h"

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

fender_status fnd_vtk_write(const fender_allocator *allocator, const fnd_vtk_piece *piece, const char *path,
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
