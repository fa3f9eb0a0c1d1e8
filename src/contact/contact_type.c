/* Contact types: laws in slots, their parameters checked and copied. */
#include "base/error.h"
#include "contact/model.h"
#include "law/laws.h"
#include <stdio.h>
#include <string.h>

static fender_status fill_slot(const fender_env *env, fnd_slot *slot, const char *path, const fender_law *law,
                               const void *parameters, fender_law_kind kind, fender_error *error)
{
    if (law->size != sizeof(fender_law) || !law->force)
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, path, "the law is incomplete or of another version",
                                           "", "a registered law", ""});
    if (!(law->kinds & (uint32_t)kind)) {
        char message[160];
        snprintf(message, sizeof message, "law '%s' cannot stand under '%s'", law->name, path);
        const char *better = (law->kinds & FENDER_LAW_WHOLE)      ? "use it under 'law'"
                             : (law->kinds & FENDER_LAW_NORMAL)   ? "use it under 'normal'"
                             : (law->kinds & FENDER_LAW_FRICTION) ? "use it under 'friction'"
                             : (law->kinds & FENDER_LAW_ROLLING)  ? "use it under 'rolling'"
                                                                  : "use it under 'twisting'";
        return fnd_fail(error,
                        (fnd_fault){FENDER_STATUS_ARGUMENT, path, message, law->name, "a law of that kind", better});
    }
    if (law->parameters.count > 0) {
        if (!parameters)
            return fnd_fail(
                error, (fnd_fault){FENDER_STATUS_ARGUMENT, path, "the law needs parameters", "NULL", law->name, ""});
        fender_error fault = {0};
        fender_status status = fender_field_check(&law->parameters, parameters, &fault);
        if (!status && law->check) status = law->check(parameters, &fault);
        if (status) {
            fnd_error_prefix(&fault, path);
            return fnd_fail(
                error, (fnd_fault){status, fault.path, fault.message, fault.found, fault.expected, fault.suggestion});
        }
        slot->parameters = fnd_allocate(env, law->parameters.size);
        if (!slot->parameters) return fnd_fail_memory(error, "the parameters of a law");
        memcpy(slot->parameters, parameters, law->parameters.size);
    }
    slot->law = law;
    return FENDER_STATUS_OK;
}

static size_t aligned(size_t size) { return (size + 15) / 16 * 16; }

/* False: a gap that is negative or not finite. */
static bool add_reach(const fnd_slot *slot, fnd_contact_type *type)
{
    if (!slot->law || !slot->law->reach) return true;
    double onset = 0, release = 0;
    slot->law->reach(slot->parameters, &onset, &release);
    if (onset > type->onset_gap) type->onset_gap = onset;
    if (release > type->release_gap) type->release_gap = release;
    return onset >= 0 && release >= 0 && isfinite(onset) && isfinite(release);
}

/* A linear spring and damper with smooth friction, its own or that of the law `coulomb`. */
static void find_quick_numbers(fnd_contact_type *type)
{
    fnd_linear_push push;
    if (type->primary.law != &fnd_law_spring_damper || type->is_provided || type->slot_count > FND_SLOT_ROLLING) return;
    if (!fnd_spring_damper_numbers(type->primary.parameters, &push)) return;
    if (type->friction.law) {
        if (type->friction.law != &fnd_law_coulomb || push.mu > 0) return;
        fnd_coulomb_numbers(type->friction.parameters, &push);
    }
    if (type->onset_gap != 0 || type->release_gap != 0) return;
    type->quick = true;
    type->stiffness = push.stiffness;
    type->damping = push.damping;
    type->mu = push.mu;
    type->slip_speed = push.slip_speed;
}

/* Memory and states one behind the other; what the laws ask for; whose modes are shown. */
static void place_slots(fnd_contact_type *type)
{
    type->mode_slot = FND_SLOT_COUNT;
    for (int i = 0; i < FND_SLOT_COUNT; i++) {
        fnd_slot *slot = &type->slots[i];
        if (!slot->law) continue;
        slot->memory_offset = type->memory_size;
        slot->state_offset = type->state_count;
        type->memory_size += aligned(slot->law->memory_size);
        type->state_count += slot->law->state_count;
        type->slot_count = i + 1;
        type->sees_surface |= (slot->law->needs & FENDER_LAW_NEEDS_SURFACE) != 0;
        type->connects |= (slot->law->needs & FENDER_LAW_CONNECTS) != 0;
        if (slot->law->mode_names && type->mode_slot == FND_SLOT_COUNT) type->mode_slot = i;
    }
    if (type->mode_slot == FND_SLOT_COUNT) type->mode_slot = FND_SLOT_PRIMARY;
}

fender_status fnd_contact_type_init(const fender_env *env, fnd_contact_type *type, const fender_contact_type_def *def,
                                    fender_error *error)
{
    bool whole = def->law != NULL;
    if (whole == (def->normal != NULL) || (whole && def->friction))
        return fnd_fail(error,
                        (fnd_fault){FENDER_STATUS_ARGUMENT, "law",
                                    "a contact type has one whole law, or a normal law and perhaps a friction law",
                                    whole ? "both" : "no law", "`law: NAME`, or `normal: {law: NAME}`", ""});
    fender_status status;
    type->whole = whole;
    if (whole) status = fill_slot(env, &type->primary, "law", def->law, def->law_parameters, FENDER_LAW_WHOLE, error);
    else
        status = fill_slot(env, &type->primary, "normal", def->normal, def->normal_parameters, FENDER_LAW_NORMAL,
                           error);
    if (!status && def->friction)
        status = fill_slot(env, &type->friction, "friction", def->friction, def->friction_parameters,
                           FENDER_LAW_FRICTION, error);
    if (!status && def->rolling)
        status = fill_slot(env, &type->rolling, "rolling", def->rolling, def->rolling_parameters, FENDER_LAW_ROLLING,
                           error);
    if (!status && def->twisting)
        status = fill_slot(env, &type->twisting, "twisting", def->twisting, def->twisting_parameters,
                           FENDER_LAW_TWISTING, error);
    if (!status) status = fnd_provided_init(env, type, def->provided, error);
    if (!status && (unsigned)def->points > FENDER_CONTACT_POINTS_CORNERS)
        status = fnd_fail(error,
                          (fnd_fault){FENDER_STATUS_ARGUMENT, "points", "how many contacts a pair has is unknown", "",
                                      "FENDER_CONTACT_POINTS_PATCH, _SINGLE or _CORNERS", ""});
    type->points = def->points;
    type->unlocated = def->unlocated;
    if (!status && !(type->name = fnd_text_copy(env, def->name))) status = fnd_fail_memory(error, "a contact type");
    if (status) {
        fnd_contact_type_release(env, type);
        return status;
    }
    bool reaches = true;
    place_slots(type);
    for (int i = 0; i < type->slot_count; i++) reaches = add_reach(&type->slots[i], type) && reaches;
    if (!reaches) {
        fnd_contact_type_release(env, type);
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "reach", "the law's reach is negative or not finite",
                                           "", "gaps of 0 m or more", ""});
    }
    if (type->release_gap < type->onset_gap) type->release_gap = type->onset_gap;
    find_quick_numbers(type);
    return FENDER_STATUS_OK;
}

void fnd_contact_type_release(const fender_env *env, fnd_contact_type *type)
{
    for (int i = 0; i < FND_SLOT_COUNT; i++)
        if (type->slots[i].law) fnd_release(env, type->slots[i].parameters, type->slots[i].law->parameters.size);
    fnd_provided_release(env, type);
    fnd_text_release(env, type->name);
    memset(type, 0, sizeof *type);
}
