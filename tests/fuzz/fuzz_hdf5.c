/* libFuzzer target for recordings in HDF5 files. The bytes are orders after which whole files are made: groups,
 * datasets of many types and forms, attributes. Damaged files are none of it: over these the HDF5 library itself breaks
 * down, so that the program reads them apart (tests/cli/test_damaged_hdf5.c). */
#include "fuzz.h"

#include <hdf5.h>

#include "tables/recording.h"

typedef struct orders {
    const uint8_t *at, *end;
} orders;

static unsigned take(orders *o, unsigned below) { return o->at < o->end ? *o->at++ % below : 0; }

static const char *take_name(orders *o, char text[24])
{
    static const char *const usual[] = {"time", "t", "x", "unit", "units", "log", "a.b", "time [s]"};
    unsigned which = take(o, 12), length = which - 7;
    if (which < 8) return usual[which];
    for (unsigned i = 0; i < length; i++) {
        unsigned c = take(o, 256);
        text[i] = (char)(c == 0 || c == '/' ? '_' : c);
    }
    text[length] = '\0';
    return strcmp(text, ".") == 0 ? "dot" : text;
}

static hid_t take_type(orders *o, int depth)
{
    switch (take(o, depth < 3 ? 12 : 9)) {
    case 1: return H5Tcopy(H5T_IEEE_F32BE);
    case 2: return H5Tcopy(H5T_STD_I8LE);
    case 3: return H5Tcopy(H5T_STD_U64BE);
    case 4: return H5Tcopy(H5T_NATIVE_LDOUBLE);
    case 5: {
        hid_t text = H5Tcopy(H5T_C_S1);
        H5Tset_size(text, take(o, 2) ? H5T_VARIABLE : 1 + take(o, 40));
        return text;
    }
    case 6: return H5Tcreate(H5T_OPAQUE, 1 + take(o, 20));
    case 7: {
        hid_t kinds = H5Tenum_create(H5T_NATIVE_INT);
        int value = 1;
        H5Tenum_insert(kinds, "one", &value);
        return kinds;
    }
    case 8: return H5Tcopy(H5T_STD_REF_OBJ);
    case 9: {
        hsize_t size = 1 + take(o, 3);
        hid_t base = H5Tcopy(H5T_NATIVE_DOUBLE), array = H5Tarray_create2(base, 1, &size);
        H5Tclose(base);
        return array;
    }
    case 10:
    case 11: {
        char text[24];
        hid_t parts[4];
        size_t size = 0;
        unsigned count = 1 + take(o, 4);
        for (unsigned i = 0; i < count; i++) size += H5Tget_size(parts[i] = take_type(o, depth + 1));
        hid_t whole = H5Tcreate(H5T_COMPOUND, size);
        size = 0;
        for (unsigned i = 0; i < count; i++) {
            char name[32]; /* the library breaks down over two of one name */
            snprintf(name, sizeof name, "%s", take_name(o, text));
            if (i > 0) snprintf(name, sizeof name, "m%u", i);
            H5Tinsert(whole, name, size, parts[i]);
            size += H5Tget_size(parts[i]);
            H5Tclose(parts[i]);
        }
        return whole;
    }
    default: return H5Tcopy(H5T_NATIVE_DOUBLE);
    }
}

static hid_t take_space(orders *o, int *rank)
{
    hsize_t size[3], most[3];
    *rank = (int)take(o, 5);
    if (*rank == 0) return H5Screate(take(o, 2) ? H5S_SCALAR : H5S_NULL);
    if (*rank == 4) *rank = 1;
    for (int i = 0; i < *rank; i++) size[i] = most[i] = take(o, 9);
    if (take(o, 2)) most[0] = H5S_UNLIMITED;
    return H5Screate_simple(*rank, size, most);
}

static void make_attribute(orders *o, hid_t object)
{
    char text[24], value[24];
    int rank;
    const char *name = take(o, 3) > 0 ? "unit" : take_name(o, text);
    hid_t type = take_type(o, 2), space = take(o, 2) ? H5Screate(H5S_SCALAR) : take_space(o, &rank);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char *word = take_name(o, value);
    static char bytes[1 << 16];
    memset(bytes, 0, sizeof bytes);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    if (attribute >= 0 && count >= 0 && (size_t)count * H5Tget_size(type) < sizeof bytes) {
        if (H5Tis_variable_str(type) > 0)
            for (hssize_t i = 0; i < count; i++) ((const char **)(void *)bytes)[i] = word;
        else memset(bytes, *word, H5Tget_size(type));
        if (H5Tget_class(type) == H5T_STRING && take(o, 4)) H5Awrite(attribute, type, bytes);
    }
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static void make_dataset(orders *o, hid_t group)
{
    char text[24];
    int rank;
    const char *name = take_name(o, text);
    hid_t type = take_type(o, 0), space = take_space(o, &rank), creation = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[3] = {1 + take(o, 5), 2, 2};
    if (rank > 0) H5Pset_chunk(creation, rank, chunk);
    if (rank > 0 && take(o, 2)) H5Pset_deflate(creation, 1);
    hid_t dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (dataset >= 0 && H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) == 8) {
        double values[9 * 9 * 9];
        for (int i = 0; i < 9 * 9 * 9; i++) values[i] = i;
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
    for (unsigned n = take(o, 3); dataset >= 0 && n > 0; n--) make_attribute(o, dataset);
    H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
}

static void fill(orders *o, hid_t group, int depth)
{
    char text[24];
    while (o->at < o->end) {
        unsigned what = take(o, 8);
        if (what == 0) return;
        if (what == 1 && depth < 24) {
            hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
            if (take(o, 2)) H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
            hid_t inner = H5Gcreate2(group, take_name(o, text), H5P_DEFAULT, creation, H5P_DEFAULT);
            if (inner >= 0) fill(o, inner, depth + 1);
            H5Gclose(inner);
            H5Pclose(creation);
        } else if (what == 2) {
            H5Lcreate_soft(take(o, 2) ? "/" : "nowhere", group, take_name(o, text), H5P_DEFAULT, H5P_DEFAULT);
        } else if (what == 3) {
            H5Lcreate_hard(group, ".", group, take_name(o, text), H5P_DEFAULT, H5P_DEFAULT); /* a circle */
        } else make_dataset(o, group);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    orders o = {data, data + size};
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, true);
    hid_t file = H5Fcreate("fuzzed.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    require(file >= 0, "no file");
    fill(&o, file, 0);
    H5Fclose(file);
    H5Pclose(access);
    int parts = 1;
    for (int part = 0; part < parts && part < 20; part++) {
        fuzz_memory memory;
        int errors;
        fender_env env = fuzz_env(&memory, &errors);
        fender_error error = {0};
        fender_recording_table table;
        fnd_arena arena = fnd_arena_open(&env.allocator, 0);
        bool failed = fnd_recording_read_table(&env.allocator, "fuzzed.h5", NULL, part, &arena, &table, &parts,
                                               &error) != FENDER_STATUS_OK;
        double sum = 0;
        for (int i = 0; !failed && i < table.column_count; i++)
            for (size_t k = 0; table.columns[i].values && k < table.row_count; k++) sum += table.columns[i].values[k];
        (void)sum;
        require(memory.most <= 1 << 20, "reading takes too much memory");
        fnd_arena_close(&arena);
        fuzz_check_end(&memory, failed, &error);
        if (failed) break;
    }
    return 0;
}
