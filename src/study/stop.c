/* The rule that ends a study once its probabilities are known well enough.
 *
 * Looks are taken at n, n + n / 2, .. runs; each is an exact interval (Clopper and Pearson) at the error of the study
 * over the number of looks. By Bonferroni's inequality all of them hold together with the stated confidence, so the one
 * at which a study stops does, too (C. Jennison and B. W. Turnbull, Group Sequential Methods (2000), 9.1: repeated
 * confidence intervals). The first look is the earliest that can be narrow enough, with no hit at all; the last is
 * narrow enough even at one half. */
#include "study/stop.h"

#include "study/reading.h"
#include "study/statistics.h"
#include "study/store.h"
#include "support/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double half_width(int64_t hits, int64_t runs, double level)
{
    fnd_estimate e = fnd_binomial(hits, runs, 1 - level);
    return 0.5 * (e.high - e.low);
}

/* The least number of runs that is enough, with no hit or with half of them. */
static int64_t enough(double half, double level, bool worst)
{
    int64_t low = 0, high = 1;
    while (high < (int64_t)1 << 40 && !(half_width(worst ? high / 2 : 0, high, level) < half)) low = high, high *= 2;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (half_width(worst ? middle / 2 : 0, middle, level) < half) high = middle;
        else low = middle;
    }
    return high;
}

void fnd_stop_plan(fnd_stop *stop)
{
    for (stop->looks = 1;; stop->looks++) { /* more looks need more runs: until they reach */
        int64_t last = 0, at;
        stop->first = INT64_MAX;
        for (int i = 0; i < stop->count; i++) {
            double level = stop->conditions[i].level / stop->looks;
            int64_t least = enough(stop->conditions[i].half, level, false),
                    most = enough(stop->conditions[i].half, level, true);
            if (least < stop->first) stop->first = least;
            if (most > last) last = most;
        }
        at = stop->first;
        for (int i = 1; i < stop->looks; i++) at += at / 2 + 1;
        if (at >= last) break;
    }
    for (int i = 0; i < stop->count; i++) stop->conditions[i].level /= stop->looks;
    stop->next = stop->first;
}

void fnd_stop_write(const fnd_stop *stop, char *text, size_t size)
{
    int used = snprintf(text, size, "%lld %d", (long long)stop->first, stop->looks);
    for (int i = 0; i < stop->count && used > 0 && (size_t)used < size; i++) {
        char half[FND_NUMBER_SIZE], level[FND_NUMBER_SIZE];
        fnd_number_format(stop->conditions[i].half, half, sizeof half);
        fnd_number_format(stop->conditions[i].level, level, sizeof level);
        used += snprintf(text + used, size - (size_t)used, " %s %s %s", stop->conditions[i].name, half, level);
    }
}

static bool next_word(const char **at, char *word, size_t size)
{
    *at += strspn(*at, " ");
    size_t n = strcspn(*at, " ");
    if (n == 0 || n >= size) return false;
    snprintf(word, size, "%.*s", (int)n, *at);
    *at += n;
    return true;
}

static bool next_number(const char **at, double *value)
{
    char word[72];
    size_t used;
    return next_word(at, word, sizeof word) && fnd_number_parse(word, strlen(word), value, &used) && !word[used];
}

bool fnd_stop_read(fnd_stop *stop, const char *text)
{
    double first, looks;
    *stop = (fnd_stop){0};
    if (!next_number(&text, &first) || !next_number(&text, &looks) || !(first >= 1 && first < 1e15) ||
        !(looks >= 1 && looks < 1000))
        return false;
    stop->first = stop->next = (int64_t)first;
    stop->looks = (int)looks;
    while (stop->count < FND_STOP_LIMIT) {
        if (!next_word(&text, stop->conditions[stop->count].name, sizeof stop->conditions[0].name)) break;
        if (!next_number(&text, &stop->conditions[stop->count].half) ||
            !next_number(&text, &stop->conditions[stop->count].level))
            return false;
        stop->count++;
    }
    return stop->count > 0;
}

bool fnd_stop_add(fnd_stop *stop, int64_t run, const bool *came)
{
    stop->broken = stop->broken || run != stop->runs;
    if (stop->broken || stop->reached || stop->look == stop->looks) return stop->reached;
    for (int i = 0; i < stop->count; i++) stop->conditions[i].hits += came[i];
    if (++stop->runs < stop->next) return false;
    stop->next += stop->next / 2 + 1;
    stop->look++;
    bool enough_now = true;
    for (int i = 0; i < stop->count && enough_now; i++)
        enough_now = half_width(stop->conditions[i].hits, stop->runs, stop->conditions[i].level) <
                     stop->conditions[i].half;
    return stop->reached = enough_now;
}

/* ---- a store */

bool fnd_results_stop(const fnd_results *r, fnd_stop *stop)
{
    const double *outcomes[FND_STOP_LIMIT] = {NULL};
    if (!r->stop[0] || !fnd_stop_read(stop, r->stop)) return false;
    for (int i = 0; i < stop->count; i++)
        for (int c = 0; c < r->column_count; c++)
            if (strcmp(r->columns[c].name, stop->conditions[i].name) == 0) outcomes[i] = r->columns[c].values;
    for (int64_t row = 0; row < r->rows && !stop->reached && !stop->broken; row++) {
        bool came[FND_STOP_LIMIT] = {false};
        for (int i = 0; i < stop->count; i++) came[i] = outcomes[i] && outcomes[i][row] > 0;
        (void)fnd_stop_add(stop, r->run[row], came);
    }
    return true;
}

int64_t fnd_results_total(const fnd_results *r)
{
    fnd_stop stop;
    return fnd_results_stop(r, &stop) && stop.reached ? stop.runs : r->runs;
}

/* ---- rows in any order */

struct fnd_stop_watch {
    const fender_study *study;
    fnd_stop stop;
    int outcomes[FND_STOP_LIMIT];
    unsigned char *seen, *came; /* a bit for each run; a byte: bit i for condition i */
    int64_t at, end, most;      /* the next run in order; how many there are; how many the last look takes */
};

fnd_stop_watch *fnd_study_watch(const fender_study *study, fnd_arena *arena)
{
    fnd_stop_watch *w = FND_ARENA_NEW(arena, fnd_stop_watch);
    if (!w) return NULL;
    *w = (fnd_stop_watch){.study = study, .stop = *study->stop, .end = study->runs, .most = study->stop->first};
    for (int i = 1; i < w->stop.looks && w->most < study->runs; i++) w->most += w->most / 2 + 1;
    if (w->most > study->runs) w->most = study->runs;
    size_t runs = (size_t)w->most;
    w->seen = fnd_arena_array(arena, runs / 8 + 1, 1, 1);
    w->came = fnd_arena_array(arena, runs, 1, 1);
    for (int i = 0; i < w->stop.count; i++)
        for (int o = 0; o < study->outcome_count; o++)
            if (strcmp(study->outcomes[o].id.name, w->stop.conditions[i].name) == 0) w->outcomes[i] = o;
    return w->seen && w->came ? w : NULL;
}

int64_t fnd_study_stop_at(fnd_stop_watch *w, int64_t run, const double *outcomes)
{
    unsigned came = 0;
    if (run < 0 || run >= w->end || run >= w->most) return w->end;
    for (int i = 0; i < w->stop.count; i++) came |= (unsigned)(outcomes[w->outcomes[i]] > 0) << i;
    w->seen[run / 8] |= (unsigned char)(1u << (run % 8));
    w->came[run] = (unsigned char)came;
    for (; w->at < w->end && w->at < w->most && (w->seen[w->at / 8] >> (w->at % 8) & 1); w->at++) {
        bool each[FND_STOP_LIMIT];
        for (int i = 0; i < FND_STOP_LIMIT; i++) each[i] = w->came[w->at] >> i & 1;
        if (fnd_stop_add(&w->stop, w->at, each)) w->end = w->at + 1;
    }
    return w->end;
}

/* ---- out of a study file */

static bool say_form(fnd_reader *reader, const fnd_node *node, const char *message, const char *found)
{
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE, message, found,
                 "half_width of P(OUTCOME) below NUMBER % at NUMBER %",
                 "write, for example, half_width of P(tipped) below 0.2 % at 95 %");
    return false;
}

static bool take(const char **at, const char *word)
{
    *at += strspn(*at, " ");
    size_t n = strlen(word);
    if (strncmp(*at, word, n) != 0) return false;
    *at += n;
    return true;
}

/* A share, plain or in per cent. */
static bool take_share(const char **at, double *share)
{
    size_t used;
    *at += strspn(*at, " ");
    if (!fnd_number_parse(*at, strlen(*at), share, &used)) return false;
    *at += used;
    if (take(at, "%")) *share /= 100;
    return true;
}

static bool read_condition(fnd_reader *reader, fender_study *s, const fnd_node *node, fnd_stop *stop)
{
    const char *text, *at;
    double half = 0, confidence = 0;
    fnd_known_name names[64];
    int count = 0;
    if (!fnd_read_text(reader, node, "when", &text)) return false;
    at = text;
    if (!take(&at, "half_width") || !take(&at, "of") || !take(&at, "P") || !take(&at, "("))
        return say_form(reader, node, "this condition to stop is not understood", at);
    at += strspn(at, " ");
    size_t n = strcspn(at, " )");
    char *name = fnd_keep_text(reader, at, n);
    if (!name) return false;
    int found = 0;
    for (int i = 0; i < s->outcome_count && i < 64; i++) names[count++] = (fnd_known_name){s->outcomes[i].id.name, 0};
    while (found < s->outcome_count && strcmp(s->outcomes[found].id.name, name) != 0) found++;
    if (found == s->outcome_count) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_NAME,
                     fnd_phrase_make("no outcome is named '%s'", fnd_shown(name).text).text, fnd_shown(name).text,
                     "an outcome of the study, or success", fnd_suggest(reader, name, "outcomes", names, count).text);
        return false;
    }
    at += n;
    if (!take(&at, ")") || !take(&at, "below") || !take_share(&at, &half) || !take(&at, "at") ||
        !take_share(&at, &confidence) || at[strspn(at, " ")])
        return say_form(reader, node, "this condition to stop is not understood", at);
    if (!(half >= 1e-6 && half < 0.5) || !(confidence >= 0.5 && confidence <= 0.999999)) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_VALUE,
                     "the half width or the confidence is out of range", "",
                     "a half width from 0.0001 % to 50 %, a confidence from 50 % to 99.9999 %", "is a % missing?");
        return false;
    }
    snprintf(stop->conditions[stop->count].name, sizeof stop->conditions[0].name, "%s", name);
    stop->conditions[stop->count].half = half;
    stop->conditions[stop->count++].level = 1 - confidence;
    return true;
}

void fnd_study_read_stop(fnd_reader *reader, fender_study *s, fnd_node *section)
{
    static const char *const keys[] = {"when", NULL};
    if (!section || !fnd_expect_map(reader, section, "stop") || !fnd_check_keys(reader, section, "stop", keys)) return;
    fnd_node *when = fnd_require(reader, section, "when", "stop", "half_width of P(tipped) below 0.2 % at 95 %");
    fnd_stop *stop = fnd_keep(reader, 1, sizeof *stop);
    if (!when || !stop) return;
    bool several = when->kind == FND_NODE_LIST;
    if (several && (when->count < 1 || when->count > FND_STOP_LIMIT)) {
        (void)say_form(reader, when, "there are from 1 to 8 conditions to stop", "");
        return;
    }
    for (fnd_node *node = several ? when->first : when; node; node = several ? node->next : NULL)
        if (!read_condition(reader, s, node, stop)) return;
    if (s->design != FND_DESIGN_RANDOM) {
        fnd_complain(reader, fnd_node_shown_location(section), FENDER_STATUS_VALUE,
                     "a study stops by looks at runs that are independent of each other", "", "design: random",
                     "choose random, or remove 'stop'");
        return;
    }
    fnd_stop_plan(stop);
    s->stop = stop;
}
