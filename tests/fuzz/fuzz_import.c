/* libFuzzer target for the readers of terrain and solids: built once for each format with FORMAT set
 * (cmake/fuzz.cmake). The first byte of the input chooses how the mesh is mended; the others are the file. */
#include <fender/mesh_file.h>

#include "import/bounded.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char raw[64] = "0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDE";
    if (size < 1) return 0;
    bounded b;
    fender_env env = bounded_env(&b);
    fender_error error = {0};
    fender_mesh_import import = fender_mesh_import_default();
    import.format = FORMAT;
    import.gaps = (fender_gaps)(data[0] & 3);
    import.weld = data[0] & 4 ? 1e-3 : 0;
    import.cluster = data[0] & 8 ? 0.5 : 0;
    import.facing = data[0] & 16 ? FENDER_FACING_ALIKE : FENDER_FACING_MEND;
    import.as_mesh = (data[0] & 32) != 0;
    import.stride = 1 + (data[0] >> 6);
    const void *bytes = data + 1;
    size_t length = size - 1;
    if (import.format == FENDER_MESH_FORMAT_RAW) {
        import.header = bytes;
        import.header_length = length;
        bytes = raw;
        length = sizeof raw;
    }
    fender_mesh_file *mesh = fender_mesh_file_parse(&env, "fuzzed", bytes, length, &import, &error);
    bool good = b.most <= bounded_limit(size);
    if (mesh) {
        const fender_mesh_report *r = fender_mesh_file_report(mesh);
        fender_geometry *geometry = fender_mesh_file_geometry(mesh, NULL, &error);
        good = good && (geometry || r->is_grid) && r->facets > 0 && isfinite(r->area);
        fender_geometry_release(geometry);
    } else good = good && error.message[0] && error.source[0];
    fender_mesh_file_destroy(mesh);
    if (!good || b.live != 0 || b.blocks != 0) __builtin_trap();
    return 0;
}
