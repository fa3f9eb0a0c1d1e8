/* Batches of quick contacts in the registers that every processor has. */
#define FND_QUICK_EVALUATE fnd_quick_evaluate_plain
#include "contact/quick_lanes.h"
