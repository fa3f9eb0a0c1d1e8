/* Every target of every law with a restitution: test_sizing_any.c as a whole. */
#define SIZE_ALL 1
#include "../test_sizing_any.c"
