/* Raw rasters: heights as numbers of one type, row by row, as a layout or an ENVI header describes them. */
#include <math.h>

#include "import/binary.h"
#include "import/import.h"

static const struct {
    const char *name;
    int size;
} types[FENDER_RASTER_TYPE_COUNT] = {{"uint8", 1},  {"int16", 2},   {"uint16", 2}, {"int32", 4},
                                     {"uint32", 4}, {"float32", 4}, {"float64", 8}};

const char *fender_raster_type_name(fender_raster_type type)
{
    return (unsigned)type < FENDER_RASTER_TYPE_COUNT ? types[type].name : NULL;
}

static double value_at(const unsigned char *at, fender_raster_type type, bool big)
{
    if (type == FENDER_RASTER_FLOAT32) return fnd_binary_float32(at, big);
    if (type == FENDER_RASTER_FLOAT64) return fnd_binary_float64(at, big);
    bool has_sign = type == FENDER_RASTER_INT16 || type == FENDER_RASTER_INT32;
    return has_sign ? (double)fnd_binary_signed(at, types[type].size, big)
                    : (double)fnd_binary_bits(at, types[type].size, big);
}

static bool check(fnd_import *import, const fender_raster_layout *l)
{
    if (l->columns < 2 || l->rows < 2)
        return fnd_import_refuse_value(import, "the layout of the raw file has too few columns or rows",
                                       fnd_words_make("%d columns, %d rows", l->columns, l->rows).text,
                                       "at least 2 x 2", "give columns and rows, or an ENVI header (.hdr)");
    if ((unsigned)l->type >= FENDER_RASTER_TYPE_COUNT)
        return fnd_import_refuse_value(import, "the type of the raw numbers is not known", "no type",
                                       "uint8 to float64", "");
    double least = l->spacing.x < l->spacing.y ? l->spacing.x : l->spacing.y;
    if (!(least > 0) || !isfinite(l->spacing.x + l->spacing.y + l->lower.x + l->lower.y))
        return fnd_import_refuse_value(import, "the raster has no spacing", fnd_words_number(least).text,
                                       "distances of columns and rows above 0", "give the spacing");
    uint64_t count = (uint64_t)l->columns * (uint64_t)l->rows, size = (uint64_t)types[l->type].size;
    uint64_t left = l->skip >= 0 && (uint64_t)l->skip <= import->length ? import->length - (uint64_t)l->skip : 0;
    if (l->skip >= 0 && left >= count * size && count <= (uint64_t)INT64_MAX / 8) return true;
    return fnd_import_refuse(import, 0, "the file is too short for its raster",
                             fnd_words_make("%zu bytes", import->length).text,
                             fnd_words_make("%lld bytes, then %d x %d numbers of %d bytes", (long long)l->skip,
                                            l->columns, l->rows, types[l->type].size)
                                 .text,
                             "is the file whole? are type, columns and rows right?");
}

bool fnd_import_raw(fnd_import *import)
{
    fender_raster_layout layout = import->def->raster;
    if (import->def->header &&
        !fnd_import_envi(import, import->def->header, import->def->header_length, import->def->header_name, &layout))
        return false;
    if (!check(import, &layout) || !fnd_import_raster(import, layout.columns, layout.rows)) return false;
    import->lower = layout.lower;
    import->spacing = layout.spacing;
    const unsigned char *at = import->bytes + layout.skip;
    for (int j = 0; j < layout.rows; j++) {
        size_t row = (size_t)(layout.south_first ? j : layout.rows - 1 - j) * (size_t)layout.columns;
        for (int i = 0; i < layout.columns; i++, at += types[layout.type].size) {
            double value = value_at(at, layout.type, layout.big_endian);
            if (isfinite(value) && !(layout.has_no_data && value == layout.no_data))
                import->heights[row + (size_t)i] = value;
        }
    }
    return true;
}
