/* fender/event.h - events of contacts, links and mass trees since the last call that advanced a world. */
#ifndef FENDER_EVENT_H
#define FENDER_EVENT_H

#include "contact.h"

typedef enum fender_event_kind {
    FENDER_EVENT_BEGIN,        /* a contact began ("begin") */
    FENDER_EVENT_END,          /* a contact ended ("end") */
    FENDER_EVENT_MODE,         /* the mode of its law changed: code is the new mode */
    FENDER_EVENT_LAW,          /* an event of its law: code is that of the law */
    FENDER_EVENT_ATTACH,       /* a body was attached to another */
    FENDER_EVENT_DETACH,       /* a body was detached */
    FENDER_EVENT_LINK_BREAK,   /* the force of a link exceeded its limit */
    FENDER_EVENT_LINK_SPENT,   /* a link returned to its free length and never acts again */
    FENDER_EVENT_SLIP,         /* like MODE, to a mode with the name "kinetic" */
    FENDER_EVENT_STICK,        /* like MODE, to a mode with the name "static" */
    FENDER_EVENT_LINK_CAPTURE, /* a latch captured its target, or a contact created a link */
    FENDER_EVENT_LINK_CRUSH,   /* a strut begins to crush */
    FENDER_EVENT_LINK_BOTTOM,  /* a strut reached the end of its stroke */
    FENDER_EVENT_LINK_ARRIVE,  /* the free length of a link reached the target of its command */
    FENDER_EVENT_LINK_LIMIT,   /* it reached a limit instead; an actuator begins to slip */
    FENDER_EVENT_LINK_LATCHED, /* a latch has pulled its target in */
    FENDER_EVENT_REATTACH      /* an attached body was moved to another pose in its parent */
} fender_event_kind;
enum { FENDER_EVENT_KIND_COUNT = FENDER_EVENT_REATTACH + 1 };
/* "begin", "end", "mode", "law", "attach", "detach", "break", "spent", "slip", "stick", "capture", "crush",
 * "bottom", "arrive", "limit", "latched", "reattach"; NULL past the end */
FENDER_API const char *fender_event_name(fender_event_kind kind);
/* Type of the subject of an event, which selects the member of the union. */
typedef enum fender_event_subject {
    FENDER_SUBJECT_NONE,    /* none: events emitted by actions of a scenario */
    FENDER_SUBJECT_CONTACT, /* BEGIN, END, MODE, SLIP, STICK, LAW */
    FENDER_SUBJECT_LINK,    /* LINK_..., and LAW of a link by a contact law */
    FENDER_SUBJECT_TREE     /* ATTACH, DETACH, REATTACH */
} fender_event_subject;

typedef struct fender_contact_event {
    fender_shape_id a, b;
    uint64_t feature;
    double depth_rate; /* m/s; the approach speed at BEGIN, minus the rebound speed at END */
    /* END: the whole contact, as in fender_contact_data */
    double begin_time, impulse, peak_force, peak_force_time; /* s, N s, N, s */
    double peak_pull, peak_pull_time;                        /* N, s; as in fender_contact_data */
    double peak_depth, approach_speed;                       /* m, m/s */
    double damping_loss, friction_loss, work, residual;      /* J */
    fender_contact_errors errors;
} fender_contact_event;

typedef struct fender_link_event {
    fender_link_id link;
    fender_body_id body_a, body_b; /* of its ends */
    double speed;                  /* m/s; rate of its length; LINK_CAPTURE: relative speed of its points */
} fender_link_event;

typedef struct fender_tree_event {
    fender_body_id child, parent; /* as the connection was named when it was made; REATTACH: the body and its parent */
    fender_body_id moved; /* root of the child's tree before ATTACH, of the free part after DETACH; REATTACH: top
                             of what has moved against the root */
    double snap;          /* m; ATTACH, REATTACH: displacement of the centre of mass of `moved` */
} fender_tree_event;

typedef struct fender_event {
    fender_event_kind kind;
    fender_event_subject subject;
    int code;    /* MODE, SLIP, STICK: the new mode; LAW: the code of the law */
    double time; /* s; accurate to one step: the start of the step for BEGIN, the end for others */
    union {
        fender_contact_event contact;
        fender_link_event link;
        fender_tree_event tree;
    };
} fender_event;
/* Events since the start of the last call that advanced the world (initialize, step, advance, commit), in order. The
 * array is valid until the next such call. */
FENDER_API const fender_event *fender_world_events(const fender_world *world, int *count);

/* Number of events of a kind since the world was initialized. */
FENDER_API int64_t fender_world_event_count(const fender_world *world, fender_event_kind kind);

#endif
