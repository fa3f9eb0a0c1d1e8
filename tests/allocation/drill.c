/* A drill: one call of the interface, tried with each of its allocations refused in turn. */
#include "drill.h"

#include <string.h>

long drill_host_count, drill_foreign_count;

/* ---- looking */

uint64_t sample_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t look_number(uint64_t hash, double value) { return sample_bytes(hash, &value, sizeof value); }

static uint64_t look_fields(uint64_t hash, const fender_field_table *table, const void *object)
{
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        for (int k = 0; k < fender_field_component_count(field); k++)
            hash = look_number(hash, fender_field_get(field, object, k));
    }
    return hash;
}

uint64_t beam_cast(const fender_world *world)
{
    uint64_t hash = fender_world_hash(world);
    const int counts[] = {fender_body_count(world),         fender_shape_count(world),
                          fender_contact_type_count(world), fender_rule_count(world),
                          fender_load_count(world),         fender_contact_count(world, FENDER_CLOCK_COMMITTED)};
    hash = sample_bytes(hash, counts, sizeof counts);
    hash = look_number(look_number(hash, fender_world_time(world)), (double)fender_world_step_count(world));
    for (int i = 0; i < counts[0]; i++) {
        fender_body_data body;
        assert_int_equal(fender_body_get(world, fender_body_at(world, i), FENDER_CLOCK_COMMITTED, &body), 0);
        hash = look_fields(hash, fender_body_fields(), &body);
    }
    for (int i = 0; i < counts[5]; i++) {
        fender_contact_data contact;
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &contact), 0);
        hash = look_fields(hash, fender_contact_fields(), &contact);
    }
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    return look_fields(hash, fender_ledger_fields(), &ledger);
}

/* ---- drilling */

typedef struct outcome {
    long host_calls, foreign_calls;
    uint64_t look, follow;
} outcome;

static void check_balance(const drill *d, const host_memory *host, long n)
{
    if (host->live != 0 || host->bytes != 0 || foreign.live != 0)
        fail_msg("%s, allocation %ld: %ld blocks, %lld bytes and %ld foreign blocks leaked", d->name, n, host->live,
                 host->bytes, foreign.live);
}

static outcome run_clean(const drill *d, int size)
{
    host_memory host = {0};
    fender_env env = host_memory_env(&host);
    foreign.host = &host;
    void *fixture = d->prepare(&env, size);
    fender_error error = {0};
    host_memory_arm(&host, 0, false);
    foreign_memory_arm(0, false);
    fender_status status = d->attempt(fixture, &error);
    foreign_memory_rest();
    outcome result = {host.calls, foreign.calls, 0, 0};
    if (status) fail_msg("%s (size %d): %s: %s", d->name, size, error.path, error.message);
    if (d->look) result.look = d->look(fixture);
    if (d->follow) result.follow = d->follow(fixture);
    d->release(fixture);
    check_balance(d, &host, 0);
    return result;
}

static void check_message(const drill *d, long n, fender_status status, const fender_error *error)
{
    if (status != FENDER_STATUS_MEMORY || error->status != FENDER_STATUS_MEMORY || error->count < 1)
        fail_msg("%s, allocation %ld: status %d and %d, '%s' %s", d->name, n, (int)status, (int)error->status,
                 error->message, error->found);
    if (!strstr(error->message, "memory")) fail_msg("%s, allocation %ld: '%s'", d->name, n, error->message);
}

static void run_refused(const drill *d, int size, long n, bool in_host, bool all_later, const outcome *clean)
{
    host_memory host = {0};
    fender_env env = host_memory_env(&host);
    foreign.host = &host;
    void *fixture = d->prepare(&env, size);
    uint64_t before = d->look && !d->goes_on ? d->look(fixture) : 0;
    fender_error error = {0};
    host_memory_arm(&host, in_host ? n : 0, all_later);
    foreign_memory_arm(in_host ? 0 : n, all_later);
    fender_status status = d->attempt(fixture, &error);
    foreign_memory_rest();
    host_memory_arm(&host, 0, false);
    check_message(d, n, status, &error);
    if (foreign.live != 0) fail_msg("%s, allocation %ld: %ld foreign blocks leaked", d->name, n, foreign.live);
    if (d->look && !d->goes_on && d->look(fixture) != before)
        fail_msg("%s (size %d), allocation %ld of %ld: it failed and has changed something", d->name, size, n,
                 clean->host_calls);
    memset(&error, 0, sizeof error);
    if (d->attempt(fixture, &error))
        fail_msg("%s, allocation %ld, again: %s: %s", d->name, n, error.path, error.message);
    if (d->look && d->look(fixture) != clean->look)
        fail_msg("%s (size %d), allocation %ld of %ld: the repetition gave something else", d->name, size, n,
                 clean->host_calls);
    if (d->follow && d->follow(fixture) != clean->follow)
        fail_msg("%s (size %d), allocation %ld of %ld: after the repetition it goes on otherwise", d->name, size, n,
                 clean->host_calls);
    d->release(fixture);
    check_balance(d, &host, n);
}

void drill_run(const drill *d)
{
    long host_total = 0, foreign_total = 0;
    for (int size = 0; size <= d->sizes; size++) {
        outcome clean = run_clean(d, size);
        for (int all_later = 0; all_later < 2; all_later++) {
            for (long n = 1; n <= clean.host_calls; n++) run_refused(d, size, n, true, all_later, &clean);
            for (long n = 1; n <= clean.foreign_calls; n++) run_refused(d, size, n, false, all_later, &clean);
        }
        drill_host_count = clean.host_calls;
        drill_foreign_count = clean.foreign_calls;
        host_total += clean.host_calls;
        foreign_total += clean.foreign_calls;
    }
    print_message("%6ld allocations", host_total);
    if (foreign_total > 0) print_message(" and %ld of libraries", foreign_total);
    print_message(", each refused alone and with all later ones: %s", d->name);
    if (d->sizes > 0) print_message(" (%d sizes)", d->sizes + 1);
    print_message("\n");
}
