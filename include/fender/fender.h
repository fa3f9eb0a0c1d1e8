/* fender/fender.h - the entire library `fender`: contact dynamics of rigid bodies. io.h declares scenario files, runs
 * and reports, in the library `fender_io`.
 *
 *     fender_env env = fender_env_default();
 *     fender_error error = {0};
 *     fender_world_def def = fender_world_def_default();
 *     fender_world *world = fender_world_create(&env, &def, &error);
 *     ... fender_body_create, fender_shape_create, fender_contact_type_create, fender_rule_create ...
 *     fender_world_initialize(world, &error);
 *     while (fender_world_time(world) < 10 && fender_world_step(world, &error) == FENDER_STATUS_OK) {}
 *     fender_world_destroy(world);
 *
 * samples/c/two_spheres.c is a complete program. samples/c/docking.c has its own controller and integrator. */
#ifndef FENDER_FENDER_H
#define FENDER_FENDER_H

#include "base.h"
#include "body.h"
#include "contact.h"
#include "event.h"
#include "expression.h"
#include "field.h"
#include "geometry.h"
#include "hazard_field.h"
#include "host.h"
#include "interface.h"
#include "law.h"
#include "laws.h"
#include "ledger.h"
#include "link.h"
#include "load.h"
#include "mass_tree.h"
#include "planet.h"
#include "plugin.h"
#include "rule.h"
#include "sensor.h"
#include "shape.h"
#include "sizing.h"
#include "snapshot.h"
#include "solid.h"
#include "spatial.h"
#include "tangent.h"
#include "world.h"

#endif
