/* `fender explain RUN ACTION`: when an action acted, or which condition kept it from acting and by how much. */
#include "explain_action.h"

#include "run/account.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *shown(char text[FND_APP_NUMBER_SIZE], double value, const char *unit)
{
    if (isnan(value)) return "-";
    if (strcmp(unit, "rad") == 0) return fnd_app_quantity(text, value * 180 / 3.14159265358979323846, "deg");
    return fnd_app_quantity(text, value, unit[0] ? unit : "1");
}

/* "a, b and c" */
static void put_list(fnd_app_stream *to, const char *const *texts, int count)
{
    for (int i = 0; i < count; i++) {
        if (i > 0) fnd_app_put(to, i + 1 == count ? " and " : ", ");
        fnd_app_put_clean(to, texts[i]);
    }
}

/* How far a part was from acting: those of the others that did not hold, and itself. */
static int distance_of(const fnd_account_part *part) { return part->missing + !part->held; }

static void put_hindrances(fnd_app_stream *to, const fnd_run_account *account)
{
    char number[FND_APP_NUMBER_SIZE];
    int least = 1000;
    for (int i = 0; i < account->part_count; i++) {
        const fnd_account_part *part = &account->parts[i];
        if (!part->held && distance_of(part) < least) least = distance_of(part);
    }
    for (int i = 0; i < account->part_count; i++) {
        const fnd_account_part *part = &account->parts[i];
        if (part->held || distance_of(part) != least) continue;
        fnd_app_put(to, "   kept from it by     ");
        fnd_app_put_clean(to, part->text);
        bool yes_or_no = !part->unit[0] && part->limit <= 1;
        if (yes_or_no) fnd_app_put(to, ": never");
        else if (!isnan(part->nearest)) fnd_app_print(to, ": nearest %s", shown(number, part->nearest, part->unit));
        if (!yes_or_no && !isnan(part->time)) fnd_app_print(to, " at %s", fnd_app_quantity(number, part->time, "s"));
        if (part->other_count > 0) {
            fnd_app_put(to, "\n                       while ");
            put_list(to, part->others, part->other_count);
            fnd_app_put(to, " held");
        }
        fnd_app_put(to, "\n");
    }
}

static void put_parts(fnd_app_stream *to, const fnd_run_account *account)
{
    char number[FND_APP_NUMBER_SIZE];
    size_t width = 10;
    for (int i = 0; i < account->part_count; i++) {
        size_t length = strlen(account->parts[i].text);
        if (length > width) width = length < 60 ? length : 60;
    }
    fnd_app_put(to, "\n condition");
    fnd_app_put_padding(to, 10, width + 3);
    fnd_app_put(to, "nearest         at              held then   at all\n");
    for (int i = 0; i < account->part_count; i++) {
        const fnd_account_part *part = &account->parts[i];
        fnd_app_put(to, " ");
        fnd_app_put_clean(to, part->text);
        fnd_app_put_padding(to, strlen(part->text) + 1, width + 3);
        const char *value = shown(number, part->nearest, part->unit);
        fnd_app_put(to, value);
        fnd_app_put_padding(to, strlen(value), 16);
        value = isnan(part->time) ? "-" : fnd_app_quantity(number, part->time, "s");
        fnd_app_put(to, value);
        fnd_app_put_padding(to, strlen(value), 16);
        fnd_app_print(to, "%-11s %s\n", part->held ? "yes" : "no", part->held_at_all ? "yes" : "no");
    }
}

static void put_account(fnd_app_stream *to, const fnd_run_account *account, bool quiet)
{
    char number[FND_APP_NUMBER_SIZE];
    bool never = isnan(account->first_time);
    const char *done = account->is_stop ? "became true" : "was carried out";
    fnd_app_put_clean(to, account->name);
    if (account->is_stop ? never : account->time_count == 0)
        fnd_app_print(to, " %s\n", account->is_stop ? "never became true" : "was not carried out");
    else {
        double first = account->is_stop ? account->first_time : account->times[0];
        fnd_app_print(to, " %s at %s", done, fnd_app_quantity(number, first, "s"));
        for (int i = 1; i < account->time_count && i < 10; i++)
            fnd_app_print(to, ", %s", fnd_app_quantity(number, account->times[i], "s"));
        if (account->time_count > 10) fnd_app_print(to, " and %d times more", account->time_count - 10);
        fnd_app_put(to, "\n");
    }
    if (!never) {
        fnd_app_put(to, "   by                  ");
        put_list(to, account->by, account->by_count);
        fnd_app_print(to, ", true at %s\n", fnd_app_quantity(number, account->first_time, "s"));
    }
    if (!never && !account->is_stop && account->time_count == 0 && account->delay > 0) {
        fnd_app_print(to, "   kept from it by     its delay of %s:", fnd_app_quantity(number, account->delay, "s"));
        fnd_app_print(to, " the run ended at %s\n", fnd_app_quantity(number, account->end, "s"));
    }
    if (never) put_hindrances(to, account);
    if (!quiet && account->part_count > 0) put_parts(to, account);
}

static void write_texts(fnd_app_json *json, const char *key, const char *const *texts, int count)
{
    fnd_app_json_array(json, key);
    for (int i = 0; i < count; i++) fnd_app_json_text(json, NULL, texts[i]);
    fnd_app_json_end(json);
}

static void write_account(fnd_app *app, const fnd_run_account *account)
{
    fnd_app_json writer, *json = &writer;
    fnd_app_json_open(json, &app->out);
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "action", account->name);
    fnd_app_json_array(json, "carried_out");
    for (int i = 0; i < account->time_count; i++) fnd_app_json_number(json, NULL, account->times[i]);
    fnd_app_json_end(json);
    fnd_app_json_number(json, "delay", account->delay);
    fnd_app_json_number(json, "first_time", account->first_time);
    write_texts(json, "by", account->by, account->by_count);
    fnd_app_json_array(json, "conditions");
    for (int i = 0; i < account->part_count; i++) {
        const fnd_account_part *part = &account->parts[i];
        fnd_app_json_object(json, NULL);
        fnd_app_json_text(json, "text", part->text);
        fnd_app_json_text(json, "unit", part->unit);
        fnd_app_json_number(json, "limit", part->limit);
        fnd_app_json_number(json, "nearest", part->nearest);
        fnd_app_json_number(json, "time", part->time);
        fnd_app_json_bool(json, "held", part->held);
        fnd_app_json_bool(json, "held_at_all", part->held_at_all);
        write_texts(json, "while", part->others, part->other_count);
        fnd_app_json_integer(json, "missing", part->missing);
        fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
    fnd_app_json_end(json);
}

int fnd_app_explain_action(fnd_app *app)
{
    fender_error error = {0};
    int errors_before = app->error_count;
    char suggestion[200];
    struct stat about;
    if (stat(app->arguments[0], &about) != 0 || !S_ISDIR(about.st_mode)) {
        snprintf(suggestion, sizeof suggestion, "'%.100s' is not the directory of a run", app->arguments[0]);
        return fnd_app_usage(app, "`fender explain` needs SCENARIO A B, or RUN ACTION", suggestion);
    }
    fnd_run_account *account = fnd_account_read(&app->env, app->arguments[0], app->arguments[1], &error);
    if (account == NULL) return fnd_app_fail(app, &error, errors_before, "");
    if (app->json) write_account(app, account);
    else put_account(&app->out, account, app->quiet);
    fnd_account_destroy(account);
    return FND_APP_OK;
}
