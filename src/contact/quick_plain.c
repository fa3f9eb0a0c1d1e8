/* Batches of quick contacts in the registers that every processor has. */
#define FND_QUICK_EVALUATE   fnd_quick_evaluate_plain
#define FND_STEADY_FUNCTIONS fnd_steady_plain
#include "contact/quick_lanes.h"
#include "contact/steady_lanes.h"
