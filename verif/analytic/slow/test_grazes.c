/* All cases of ../test_grazes.c, 1,848 grazes by each method. */
#define GRAZES_PART 1
#include "../test_grazes.c"
