/* Rasters by GDAL (GeoTIFF, planetary elevation models): the only file that calls it. Without it: an error that names
 * the option. */
#include "import/import.h"

#ifndef FENDER_WITH_GDAL

#include "support/io_error.h"

bool fender_mesh_has_gdal(void) { return false; }

bool fnd_import_gdal(fnd_import *import)
{
    FND_IO_FAIL(import->error, .status = FENDER_STATUS_NOT_BUILT, .source = import->name,
                .message = "this fender is built without GDAL, which reads such files", .found = "a raster for GDAL",
                .expected = "an ESRI ASCII grid, a raw or ENVI raster, or a build with GDAL",
                .suggestion = "build with -DFENDER_WITH_GDAL=ON (Debian: libgdal-dev), or convert: "
                              "gdal_translate -of AAIGrid FILE ground.asc");
    return false;
}

#else

#include <math.h>
#include <stdio.h>

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <gdal.h>

bool fender_mesh_has_gdal(void) { return true; }

static bool refuse(fnd_import *import, const char *message)
{
    const char *reason = CPLGetLastErrorMsg();
    return fnd_import_refuse(import, 0, message, reason && reason[0] ? reason : "no reason given",
                             "a raster with one band of heights, north up", "gdalinfo tells what the file holds");
}

/* North up: x by columns, y falling by rows, neither turned. */
static bool place(fnd_import *import, GDALDatasetH set)
{
    double g[6] = {0, 1, 0, 0, 0, -1};
    if (GDALGetGeoTransform(set, g) != CE_None) g[3] = import->rows; /* no place is told: cells of one unit */
    if (g[2] != 0 || g[4] != 0 || !(g[1] > 0) || !(g[5] < 0)) return refuse(import, "the raster is not north up");
    import->spacing = (fender_vec2){g[1], -g[5]};
    import->lower = (fender_vec2){g[0] + 0.5 * g[1], g[3] + (import->rows - 0.5) * g[5]};
    return true;
}

static bool read_set(fnd_import *import, GDALDatasetH set)
{
    int columns = GDALGetRasterXSize(set), rows = GDALGetRasterYSize(set), has_no_data = 0, has_scale = 0,
        has_offset = 0;
    if (columns < 2 || rows < 2 || GDALGetRasterCount(set) < 1) return refuse(import, "the raster has no heights");
    /* a header may promise anything: compressed heights take no less than a thousandth of their room */
    if ((double)columns * rows > 4096.0 * (double)import->length)
        return refuse(import, "the file is too short for its raster");
    GDALRasterBandH band = GDALGetRasterBand(set, 1);
    if (!fnd_import_raster(import, columns, rows) || !place(import, set)) return false;
    double no_data = GDALGetRasterNoDataValue(band, &has_no_data);
    double scale = GDALGetRasterScale(band, &has_scale), offset = GDALGetRasterOffset(band, &has_offset);
    if (!has_scale) scale = 1;
    if (!has_offset) offset = 0;
    for (int j = 0; j < rows; j++) {
        double *row = import->heights + (size_t)(rows - 1 - j) * (size_t)columns;
        if (GDALRasterIO(band, GF_Read, 0, j, columns, 1, row, columns, 1, GDT_Float64, 0, 0) != CE_None)
            return refuse(import, "the heights cannot be read");
        for (int i = 0; i < columns; i++)
            row[i] = !isfinite(row[i]) || (has_no_data && row[i] == no_data) ? NAN : row[i] * scale + offset;
    }
    return true;
}

bool fnd_import_gdal(fnd_import *import)
{
    char name[64];
    /* The bytes stand in memory, so that a run can be repeated from what it kept; the address makes the name unique. */
    snprintf(name, sizeof name, "/vsimem/fender_%p", (const void *)import);
    VSILFILE *file = VSIFileFromMemBuffer(name, (GByte *)import->bytes, import->length, FALSE);
    if (!file) return refuse(import, "GDAL does not take the file");
    VSIFCloseL(file);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    GDALAllRegister();
    GDALDatasetH set = GDALOpenEx(name, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    bool good = set ? read_set(import, set) : refuse(import, "GDAL cannot read the file");
    if (set) GDALClose(set);
    CPLPopErrorHandler();
    VSIUnlink(name);
    return good;
}

#endif
