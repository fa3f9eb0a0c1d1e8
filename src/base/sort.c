/* Stable merge sort. */
#include "base/sort.h"

#include <string.h>

#define MERGE_SORT(NAME, TYPE, KEY)                                                   \
    void NAME(TYPE *items, TYPE *scratch, int count)                                  \
    {                                                                                 \
        for (int i = 1; i < count; i++) {                                             \
            if (KEY(items[i - 1]) <= KEY(items[i])) continue;                         \
            for (int width = 1; width < count; width *= 2) {                          \
                for (int lo = 0; lo < count; lo += 2 * width) {                       \
                    int mid = lo + width < count ? lo + width : count;                \
                    int hi = lo + 2 * width < count ? lo + 2 * width : count;         \
                    int l = lo, r = mid, o = lo;                                      \
                    while (l < mid && r < hi) {                                       \
                        if (KEY(items[r]) < KEY(items[l])) scratch[o++] = items[r++]; \
                        else scratch[o++] = items[l++];                               \
                    }                                                                 \
                    while (l < mid) scratch[o++] = items[l++];                        \
                    while (r < hi) scratch[o++] = items[r++];                         \
                }                                                                     \
                memcpy(items, scratch, (size_t)count * sizeof *items);                \
            }                                                                         \
            return;                                                                   \
        }                                                                             \
    }

#define REAL_KEY(item)  (item).key
#define WHOLE_KEY(item) (item)
MERGE_SORT(fnd_sort_by_real, fnd_sort_real, REAL_KEY)
MERGE_SORT(fnd_sort_by_key, uint64_t, WHOLE_KEY)
