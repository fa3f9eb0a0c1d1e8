/* Writes the seeds of the fuzzers: small solids and grids in every format, into the folder that is named. */
#include "import/mesh_bytes.h"

static const char *folder;

static int write_seed(const char *format, int number, const bytes *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s/seed_%d", folder, format, number);
    FILE *out = fopen(path, "wb");
    if (!out) return 1;
    fputc(number * 4, out);
    fwrite(file->data, 1, file->length, out);
    return fclose(out) != 0;
}

int main(int argc, char **argv)
{
    static solid things[2];
    static bytes file;
    if (argc != 2) return 2;
    folder = argv[1];
    const fender_vec2 outline[6] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    int failed = 0;
    make_prism(&things[0], outline, 6, 1);
    make_torus(&things[1], 3, 3, 3, 1);
    for (int n = 0; n < 2; n++) {
        as_obj(&things[n], &file, n);
        failed |= write_seed("obj", n, &file);
        fender_mesh_file *mesh = parse_as(FENDER_MESH_FORMAT_OBJ, &file, NULL, NULL);
        if (!mesh) return 1;
        fender_mesh_def triangles = fender_mesh_file_triangles(mesh);
        as_stl_text(&triangles, &file);
        failed |= write_seed("stl", 2 * n, &file);
        as_stl_binary(&triangles, &file);
        failed |= write_seed("stl", 2 * n + 1, &file);
        fender_mesh_file_destroy(mesh);
        static const char *const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
        for (int k = 0; k < 3; k++) {
            as_ply(&things[n], &file, formats[k]);
            failed |= write_seed("ply", 3 * n + k, &file);
        }
        as_ac3d(&things[n], &file);
        failed |= write_seed("ac3d", n, &file);
        file.length = 0;
        say(&file,
            "ncols 4\nnrows 3\n%s 1\nyllcorner 2\ncellsize 0.5\nNODATA_value -9\n1 2 3 4\n5 -9 7 8\n9 -9 nan 12\n",
            n ? "xllcenter" : "xllcorner");
        failed |= write_seed("esri", n, &file);
        file.length = 0;
        say(&file,
            "ENVI\nsamples = 5\nlines = 4\nbands = 1\nheader offset = 3\ndata type = %d\nbyte order = %d\n"
            "map info = {UTM, 1, 1, 200, 1080,\n 10.0, 20, 33}\ndata ignore value = 7\n",
            n ? 2 : 1, n);
        failed |= write_seed("raw", n, &file);
    }
    return failed;
}
