/* libFuzzer target for run directories. The first byte chooses a file of a run and whether that run was cut short, the
 * others take its place; checkpoints are made to fit their checksums. Then everything that reads runs reads this one.
 */
#include "fuzz_scenes.h"

#include <fcntl.h>

#include "run/directory.h"
#include "tables/recording.h"

/* As src/run/checkpoint.c has it. */
typedef struct checkpoint_header {
    char mark[8], version[16];
    uint32_t order, layout;
    uint64_t size, snapshot_size, scenario;
    int64_t step;
    double time;
    uint64_t checksum;
} checkpoint_header;

static const char *const names[] = {FND_FILE_SUMMARY,  FND_FILE_SCENE,  FND_FILE_SCENARIO,     FND_FILE_REPLAY,
                                    FND_FILE_CONTACTS, FND_FILE_EVENTS, FND_FILE_EPISODES,     FND_FILE_HASHES,
                                    FND_FILE_SOURCES,  "log.csv",       FND_FILE_CHECKPOINT_0, FND_FILE_CHECKPOINT_1};
enum { FILES = sizeof names / sizeof names[0], CHECKPOINTS = FILES - 2, ROOM = 1 << 18 };

typedef struct kept {
    unsigned char *bytes;
    size_t size;
} kept;
static kept whole[FILES], cut[FILES];
static checkpoint_header good;
static fnd_snapshot_header good_snapshot;

static void path_of(char path[64], const char *folder, int file) { snprintf(path, 64, "%s/%s", folder, names[file]); }

static void keep_files(const char *folder, kept files[FILES])
{
    for (int i = 0; i < FILES; i++) {
        char path[64];
        path_of(path, folder, i);
        FILE *file = fopen(path, "rb");
        if (!file) continue;
        files[i].bytes = malloc(ROOM);
        require(files[i].bytes != NULL, "no memory");
        files[i].size = fread(files[i].bytes, 1, ROOM, file);
        require(files[i].size < ROOM, "a file of the run is too large");
        fclose(file);
    }
}

static void lay_out(const char *folder, const kept files[FILES])
{
    char path[64];
    for (int i = 0; i < FILES; i++) {
        path_of(path, folder, i);
        if (files[i].bytes) fuzz_write(path, files[i].bytes, files[i].size);
        else unlink(path);
    }
}

static uint64_t sum_bytes(uint64_t sum, const unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) sum = (sum ^ b[i]) * 0x100000001b3u;
    return sum;
}

static void repair_checkpoint(unsigned char *bytes, size_t size)
{
    checkpoint_header h;
    if (size < sizeof h) return;
    memcpy(&h, bytes, sizeof h);
    if (h.snapshot_size <= size - sizeof h)
        repair_snapshot(bytes + size - h.snapshot_size, h.snapshot_size, &good_snapshot);
    memcpy(h.mark, good.mark, sizeof h.mark);
    memcpy(h.version, good.version, sizeof h.version);
    h.order = good.order;
    h.layout = good.layout;
    h.size = size;
    h.scenario = good.scenario;
    h.checksum = 0;
    h.checksum = sum_bytes(sum_bytes(0xcbf29ce484222325u, (unsigned char *)&h, sizeof h), bytes + sizeof h,
                           size - sizeof h);
    memcpy(bytes, &h, sizeof h);
}

static bool go_on_for_a_while(void *ctx, const fender_progress *progress)
{
    (void)progress;
    return --*(int *)ctx > 0;
}

static fender_status execute(const fender_env *env, const fender_run_def *def, fender_error *error)
{
    fender_run *run = fender_run_create(env, def, error);
    fender_status status = run ? fender_run_execute(run, error) : error->status;
    fender_run_destroy(run);
    return status;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *seeds = getenv("FENDER_FUZZ_SEEDS");
    fuzz_enter_folder();
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_scenario *scenario = load_busy_scene();
    fender_run_def def = {.scenario = scenario, .output_directory = "whole", .accept_residual = true};
    require(execute(&env, &def, &error) == FENDER_STATUS_OK, error.message);
    keep_files("whole", whole);
    /* cut short at its start, with a checkpoint */
    def.output_directory = "cut";
    fender_run *run = fender_run_create(&env, &def, &error);
    require(run != NULL, error.message);
    fender_run_cancel(run);
    require(fender_run_execute(run, &error) == FENDER_STATUS_INTERRUPTED, error.message);
    fender_run_destroy(run);
    keep_files("cut", cut);
    fender_scenario_destroy(scenario);
    const kept *checkpoint = &cut[CHECKPOINTS];
    require(checkpoint->bytes != NULL, "the run that was cut short has no checkpoint");
    memcpy(&good, checkpoint->bytes, sizeof good);
    memcpy(&good_snapshot, checkpoint->bytes + checkpoint->size - good.snapshot_size, sizeof good_snapshot);
    if (!seeds) return 0;
    for (int i = 0; i < 2 * FILES; i++) {
        const kept *file = i < FILES ? &whole[i] : &cut[i - FILES];
        if (!file->bytes) continue;
        unsigned char *bytes = malloc(file->size + 1);
        require(bytes != NULL, "no memory");
        bytes[0] = (unsigned char)i;
        memcpy(bytes + 1, file->bytes, file->size);
        fuzz_seed(seeds, i, bytes, file->size + 1);
        free(bytes);
    }
    exit(0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) return 0;
    const int which = data[0] % (2 * FILES), file = which % FILES;
    const char *folder = which < FILES ? "whole" : "cut";
    unsigned char *bytes = malloc(size);
    char path[64];
    require(bytes != NULL, "no memory");
    memcpy(bytes, data + 1, size - 1);
    if (file >= CHECKPOINTS) repair_checkpoint(bytes, size - 1);
    lay_out(folder, which < FILES ? whole : cut);
    path_of(path, folder, file);
    fuzz_write(path, bytes, size - 1);
    free(bytes);

    fuzz_memory memory;
    int errors;
    fender_env env = fuzz_env(&memory, &errors);
    for (int reader = 0; reader < 6; reader++) {
        fender_error error = {0};
        fender_status status = FENDER_STATUS_OK;
        fender_scenario *scenario = NULL;
        fender_recording recorded;
        int calls = 2;
        switch (reader) {
        case 0: status = fender_report_write(&env, folder, "report.html", &error); break;
        case 1: status = fender_export_gltf(&env, folder, "run.glb", 10, &error); break;
        case 2: status = fender_export_vtk(&env, folder, "vtk", 3, &error); break;
        case 3:
            status = fender_recording_open(&recorded, &env, folder, NULL, true, &error);
            fender_recording_close(&recorded);
            break;
        default:
            scenario = fender_scenario_load_run(&env, NULL, folder, &error);
            if (!scenario) {
                status = error.status;
                break;
            }
            fender_run_def def = {.scenario = scenario, .progress = go_on_for_a_while, .progress_ctx = &calls};
            if (reader == 4) def.verify_directory = folder;
            else def.output_directory = folder, def.resume = true;
            fender_run *run = fender_run_create(&env, &def, &error);
            if (run) fender_run_cancel(run); /* what a run reads it reads before its first step */
            status = run ? fender_run_execute(run, &error) : error.status;
            if (status == FENDER_STATUS_INTERRUPTED || status == FENDER_STATUS_EXPECTATION) status = FENDER_STATUS_OK;
            fender_run_destroy(run);
            fender_scenario_destroy(scenario);
        }
        fuzz_check_end(&memory, status != FENDER_STATUS_OK, &error);
    }
    require(memory.most <= FUZZ_MEMORY, "too much memory");
    return 0;
}
