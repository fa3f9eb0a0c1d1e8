/* Shards handed to an engine: scripts for Slurm, GNU parallel or MPI, each of which starts `fender study run --shard`.
 */
#include "study/study.h"
#include "support/file.h"
#include "support/io_error.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_SHARDS = 100, MOST_SHARDS = 10000 /* that can be merged */ };

typedef struct scripts {
    const fender_study_jobs_def *def;
    fender_error *error;
    char folder[PATH_MAX], study[PATH_MAX], name[256]; /* name: of the study's file, without its ending */
    int64_t shards;
    int jobs;
    fnd_buffer text;
} scripts;

static fender_status refuse(fender_error *error, const char *message, const char *found, const char *expected,
                            const char *remedy)
{
    return FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .message = message, .found = found, .expected = expected,
                       .suggestion = remedy);
}

/* A word of a shell, whatever is in it. */
static void put_word(fnd_buffer *b, const char *text)
{
    fnd_buffer_append_char(b, '\'');
    for (; *text; text++)
        if (*text == '\'') fnd_buffer_append_text(b, "'\\''");
        else fnd_buffer_append_char(b, *text);
    fnd_buffer_append_char(b, '\'');
}

static void begin(scripts *s, const char *comment)
{
    fnd_buffer_clear(&s->text);
    fnd_buffer_append_text(&s->text, "#!/bin/sh\n");
    fnd_buffer_append_text(&s->text, comment);
}

static void put_slurm_head(scripts *s, const char *what, const char *output, bool task)
{
    if (s->def->engine != FENDER_STUDY_SLURM) return;
    fnd_buffer_appendf(&s->text, "#SBATCH --job-name=%s%s\n", s->name, what);
    fnd_buffer_appendf(&s->text, "#SBATCH --output=%s\n", output);
    if (task) {
        fnd_buffer_append_text(&s->text, "#SBATCH --open-mode=append\n#SBATCH --requeue\n");
        fnd_buffer_appendf(&s->text, "#SBATCH --cpus-per-task=%d\n", s->jobs);
    }
    if (s->def->options && s->def->options[0]) fnd_buffer_appendf(&s->text, "#SBATCH %s\n", s->def->options);
}

static void put_start(scripts *s)
{
    fnd_buffer_append_text(&s->text, "set -eu\ncd ");
    put_word(&s->text, s->folder);
    fnd_buffer_append_text(&s->text, "\n");
}

static void put_program(scripts *s)
{
    fnd_buffer_append_text(&s->text, "fender=${FENDER:-}\n[ -n \"$fender\" ] || fender=");
    put_word(&s->text, s->def->program);
    fnd_buffer_append_text(&s->text, "\n");
}

static fender_status save(scripts *s, const char *name)
{
    char path[PATH_MAX + 32];
    if (s->text.failed) return fnd_io_fail_memory(s->error, "a job script");
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    fender_status status = fnd_file_write(path, s->text.text, s->text.length, s->error);
    if (status == FENDER_STATUS_OK && strstr(name, ".sh") && chmod(path, 0777 & ~022) != 0)
        status = fnd_system_fail(s->error, "make executable", path, errno);
    return status;
}

static fender_status write_shard(scripts *s)
{
    char comment[240];
    snprintf(
        comment, sizeof comment,
        "# Carries out one shard of the study: sh shard.sh K, with K from 0 to %lld. What its store holds already is "
        "not\n# done again: an interrupted shard goes on.\n",
        (long long)s->shards - 1);
    begin(s, comment);
    put_slurm_head(s, "", "log/%A_%a.txt", true);
    put_start(s);
    put_program(s);
    if (s->def->engine == FENDER_STUDY_SLURM)
        fnd_buffer_append_text(&s->text, "# A task of an array: K counts from the first shard of the array.\n"
                                         "shard=$((${1:-0} + ${SLURM_ARRAY_TASK_ID:-0}))\n");
    else fnd_buffer_append_text(&s->text, "shard=$1\n");
    fnd_buffer_append_text(&s->text, "exec \"$fender\" study run ");
    put_word(&s->text, s->study);
    if (s->def->runs > 0) fnd_buffer_appendf(&s->text, " --runs %lld", (long long)s->def->runs);
    fnd_buffer_appendf(&s->text, " \\\n    --shard \"$shard/%lld\" --jobs %d --quiet -o \"shards/$shard.db\"\n",
                       (long long)s->shards, s->jobs);
    return save(s, "shard.sh");
}

static fender_status write_merge(scripts *s)
{
    begin(s, "# Puts the shards together. It fails when runs are missing: then submit once more, which goes on.\n");
    put_slurm_head(s, "_merge", "log/merge_%j.txt", false);
    put_start(s);
    put_program(s);
    fnd_buffer_append_text(&s->text, "exec \"$fender\" study merge --complete -o ");
    fnd_buffer_appendf(&s->text, "%s.study.db shards/*.db\n", s->name);
    return save(s, "merge.sh");
}

static void put_options(scripts *s)
{
    if (s->def->options && s->def->options[0]) fnd_buffer_appendf(&s->text, " %s", s->def->options);
    fnd_buffer_append_text(&s->text, " \"$@\"");
}

static fender_status write_slurm(scripts *s)
{
    begin(s, "# Submits all shards to Slurm as arrays, and the merge behind them: sh submit.sh [OPTION OF SBATCH...]\n"
             "# Once more does no harm: shards that are whole end at once.\n");
    put_start(s);
    fnd_buffer_append_text(&s->text,
                           "size=${ARRAY_SIZE:-1000} # tasks of an array: below MaxArraySize of slurm.conf\n"
                           "limit=${ARRAY_LIMIT:+%$ARRAY_LIMIT} # tasks of an array at a time; none: no limit\n"
                           "first=0\narrays=\n");
    fnd_buffer_appendf(&s->text, "while [ \"$first\" -lt %lld ]; do\n    last=$((%lld - first - 1))\n",
                       (long long)s->shards, (long long)s->shards);
    fnd_buffer_append_text(&s->text,
                           "    [ \"$last\" -lt \"$size\" ] || last=$((size - 1))\n"
                           "    id=$(sbatch --parsable --array=\"0-$last$limit\" \"$@\" shard.sh \"$first\")\n"
                           "    arrays=$arrays:${id%%;*}\n"
                           "    first=$((first + size))\ndone\n"
                           "id=$(sbatch --parsable --dependency=\"afterany$arrays\" \"$@\" merge.sh)\n"
                           "echo \"submitted: arrays ${arrays#:}, merge ${id%%;*}\"\n");
    return save(s, "submit.sh");
}

static fender_status write_parallel(scripts *s)
{
    fnd_buffer_clear(&s->text);
    for (int64_t i = 0; i < s->shards; i++) {
        fnd_buffer_append_text(&s->text, "sh ");
        put_word(&s->text, s->folder);
        fnd_buffer_appendf(&s->text, "/shard.sh %lld\n", (long long)i);
    }
    fender_status status = save(s, "jobs.txt");
    if (status != FENDER_STATUS_OK) return status;
    begin(s, "# Runs the jobs of jobs.txt by GNU parallel, then the merge: sh submit.sh [OPTION OF PARALLEL...]\n"
             "# joblog.txt says what was done. Once more goes on with what is not, or has failed.\n");
    put_start(s);
    fnd_buffer_append_text(&s->text, "parallel --joblog joblog.txt --resume-failed");
    put_options(s);
    fnd_buffer_append_text(&s->text, " :::: jobs.txt ||\n    echo 'some shards have failed: see joblog.txt' >&2\n"
                                     "exec sh merge.sh\n");
    return save(s, "submit.sh");
}

static fender_status write_mpi(scripts *s)
{
    begin(s,
          "# One rank of MPI: carries out the shards rank, rank + ranks, rank + 2 ranks .. The launcher says which.\n");
    put_start(s);
    fnd_buffer_append_text(&s->text,
                           "rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-${SLURM_PROCID:-}}}}\n"
                           "ranks=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SLURM_NTASKS:-}}}\n"
                           "if [ -z \"$rank\" ] || [ -z \"$ranks\" ]; then\n"
                           "    echo 'rank.sh: the launcher sets no rank; start it by mpirun, mpiexec or srun' >&2\n"
                           "    exit 2\nfi\n");
    fnd_buffer_appendf(
        &s->text,
        "while [ \"$rank\" -lt %lld ]; do\n    sh shard.sh \"$rank\" || echo \"shard $rank has failed\" >&2\n",
        (long long)s->shards);
    fnd_buffer_append_text(&s->text, "    rank=$((rank + ranks))\ndone\n");
    fender_status status = save(s, "rank.sh");
    if (status != FENDER_STATUS_OK) return status;
    begin(s, "# Runs the shards by MPI, then the merge: sh submit.sh [OPTION OF MPIRUN...], for example -n 64\n"
             "# A rank that is lost ends all of them. Once more goes on.\n");
    put_start(s);
    fnd_buffer_append_text(&s->text, "mpirun");
    put_options(s);
    fnd_buffer_append_text(&s->text, " sh rank.sh\nexec sh merge.sh\n");
    return save(s, "submit.sh");
}

static fender_status make_folder(const char *path, fender_error *error)
{
    struct stat about;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
        return FENDER_STATUS_OK;
    return fnd_system_fail(error, "make the folder", path, errno);
}

/* The path from the root, as it is named: symbolic links stay, since nodes may see them elsewhere. */
static fender_status make_absolute(const char *path, char to[PATH_MAX], fender_error *error)
{
    size_t used = 0;
    to[0] = 0;
    if (path[0] != '/') {
        if (!getcwd(to, PATH_MAX)) return fnd_system_fail(error, "find the folder of", path, errno);
        used = strlen(to);
    }
    if (snprintf(to + used, PATH_MAX - used, "%s%s", used > 0 ? "/" : "", path) >= (int)(PATH_MAX - used))
        return fnd_system_fail(error, "use", path, ENAMETOOLONG);
    return FENDER_STATUS_OK;
}

static bool one_line(const char *text) { return !text || !strpbrk(text, "\n\r"); }

/* Names of jobs and stores: what every engine and shell takes as it is. */
static void name_after(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    if (length >= size) length = size - 1;
    for (size_t i = 0; i < length; i++) {
        bool plain = (base[i] >= 'a' && base[i] <= 'z') || (base[i] >= 'A' && base[i] <= 'Z') ||
                     (base[i] >= '0' && base[i] <= '9') || strchr("_-.+", base[i]);
        name[i] = plain ? base[i] : '_';
    }
    name[length] = 0;
}

static fender_status make_folders(scripts *s)
{
    static const char *const within[] = {"shards", "log"};
    char path[PATH_MAX + 32];
    const char *folder = s->def->folder;
    fender_status status = make_folder(folder, s->error);
    if (status != FENDER_STATUS_OK) return status;
    status = make_absolute(folder, s->folder, s->error);
    if (status == FENDER_STATUS_OK) status = make_absolute(s->def->study->path, s->study, s->error);
    if (status != FENDER_STATUS_OK) return status;
    if (!one_line(s->folder) || !one_line(s->study))
        return refuse(s->error, "a job script cannot hold this path", s->folder, "a path of one line",
                      "use a folder with another name");
    for (size_t i = 0; i < sizeof within / sizeof within[0] && status == FENDER_STATUS_OK; i++) {
        snprintf(path, sizeof path, "%s/%s", s->folder, within[i]);
        status = make_folder(path, s->error);
    }
    /* What was done is known by the shards; the log of another set of jobs would be believed. */
    snprintf(path, sizeof path, "%s/joblog.txt", s->folder);
    (void)unlink(path);
    return status;
}

fender_status fender_study_write_jobs(const fender_env *env, const fender_study_jobs_def *def, int64_t *shards,
                                      fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return FENDER_STATUS_ARGUMENT;
    if (!def || !def->study || !def->folder || !def->program || (unsigned)def->engine > FENDER_STUDY_MPI)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT,
                           .message = "jobs need a study, a folder, a program and an engine");
    const int64_t runs = def->study->runs, most = runs < MOST_SHARDS ? runs : MOST_SHARDS;
    scripts s = {.def = def,
                 .error = error,
                 .shards = def->shards > 0         ? def->shards
                           : most < DEFAULT_SHARDS ? most
                                                   : DEFAULT_SHARDS,
                 .jobs = def->jobs > 0 ? def->jobs : 1};
    if (s.shards > most) {
        char found[32], expected[64];
        snprintf(found, sizeof found, "%lld", (long long)s.shards);
        snprintf(expected, sizeof expected, "at most %lld", (long long)most);
        return refuse(error, most == runs ? "there are more shards than runs" : "there are too many shards", found,
                      expected, "a shard of some minutes to an hour is a good size");
    }
    if (!one_line(def->options) || !one_line(def->program))
        return refuse(error, "options of an engine are one line", def->options, "no line break", "");
    s.text = fnd_buffer_open(&env->allocator);
    name_after(def->study->path, s.name, sizeof s.name);
    fender_status status = make_folders(&s);
    if (status == FENDER_STATUS_OK) status = write_shard(&s);
    if (status == FENDER_STATUS_OK) status = write_merge(&s);
    if (status == FENDER_STATUS_OK) {
        switch (def->engine) {
        case FENDER_STUDY_SLURM: status = write_slurm(&s); break;
        case FENDER_STUDY_PARALLEL: status = write_parallel(&s); break;
        default: status = write_mpi(&s); break;
        }
    }
    fnd_buffer_close(&s.text);
    if (shards) *shards = s.shards;
    return status;
}
