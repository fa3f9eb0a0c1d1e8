/* What the fuzzers share: counted memory with a limit, a folder of their own, files in it, and seeds that they write
 * themselves. A fault that the sanitizers cannot see ends the program by `require`. */
#ifndef FND_TEST_FUZZ_H
#define FND_TEST_FUZZ_H

#include <fender/base.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Blocks that would lead beyond FUZZ_MEMORY are refused: what a file asks for may be large, and that is an error like
 * others. */
#define FUZZ_MEMORY ((size_t)16 << 20)

static inline void require(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "fuzzer: %s\n", what);
    abort();
}

typedef struct fuzz_memory {
    size_t live, most;
    long blocks;
} fuzz_memory;

static inline void *fuzz_allocate(void *ctx, size_t size, size_t alignment)
{
    fuzz_memory *m = ctx;
    (void)alignment;
    if (size > FUZZ_MEMORY - m->live) return NULL;
    void *memory = malloc(size);
    if (!memory) return NULL;
    m->live += size;
    m->blocks++;
    if (m->live > m->most) m->most = m->live;
    return memory;
}

static inline void fuzz_release(void *ctx, void *memory, size_t size)
{
    fuzz_memory *m = ctx;
    require(m->live >= size && m->blocks > 0, "more memory is given back than was taken");
    m->live -= size;
    m->blocks--;
    free(memory);
}

/* Reads every text of a diagnostic. */
static inline void fuzz_listen(void *ctx, const fender_diagnostic *d)
{
    int *errors = ctx;
    size_t length = strlen(d->file) + strlen(d->excerpt) + strlen(d->found) + strlen(d->expected) +
                    strlen(d->suggestion);
    require(d->message[0] != '\0' && length < 1 << 20, "a finding says nothing");
    if (d->severity == FENDER_SEVERITY_ERROR) ++*errors;
}

static inline fender_env fuzz_env(fuzz_memory *memory, int *errors)
{
    *memory = (fuzz_memory){0};
    *errors = 0;
    return (fender_env){{fuzz_allocate, fuzz_release, memory}, fuzz_listen, errors};
}

/* Nothing is left, and an error says what it is about. */
static inline void fuzz_check_end(const fuzz_memory *memory, bool failed, const fender_error *error)
{
    require(memory->live == 0 && memory->blocks == 0, "memory is left");
    require(!failed || (error->status != FENDER_STATUS_OK && error->message[0] != '\0'), "a failure without an error");
}

/* A folder that no other process uses, in TMPDIR, which tests/fuzz/run removes. */
static inline void fuzz_enter_folder(void)
{
    char folder[512];
    const char *within = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/fender-fuzz-XXXXXX", within ? within : "/tmp");
    require(mkdtemp(folder) != NULL && chdir(folder) == 0, "no folder for files");
}

static inline void fuzz_write(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    require(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "a file cannot be written");
}

/* With FENDER_FUZZ_SEEDS=FOLDER a fuzzer writes its seeds there instead of reading any. */
static inline void fuzz_seed(const char *folder, int number, const void *bytes, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/seed_%03d", folder, number);
    fuzz_write(path, bytes, size);
}

#endif
