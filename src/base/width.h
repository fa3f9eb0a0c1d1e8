/* Sources that are compiled once for each width of registers (cmake/libraries.cmake), all with the same bits: FND_WIDTH
 * is plain, avx2 or avx512. FND_WIDE: the wide ones are linked, and the processor is asked for them. */
#ifndef FND_BASE_WIDTH_H
#define FND_BASE_WIDTH_H

#ifndef FND_WIDTH
#define FND_WIDTH plain
#endif

#define FND_WIDTH_JOINED(name, width) name##_##width
#define FND_WIDTH_JOIN(name, width)   FND_WIDTH_JOINED(name, width)
#define FND_OF_WIDTH(name)            FND_WIDTH_JOIN(name, FND_WIDTH)

/* Initializer of a table of a function, or of an address `&name`, for each width that there is. */
#ifdef FND_WIDE
#define FND_WIDTHS(name)                         \
    {                                            \
        name##_plain, name##_avx2, name##_avx512 \
    }
#else
#define FND_WIDTHS(name) \
    {                    \
        name##_plain     \
    }
#endif

#endif
