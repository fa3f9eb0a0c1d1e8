/* Evaluation of expressions, for laws to have within their own code. */
#ifndef FND_MATH_EXPRESSION_H
#define FND_MATH_EXPRESSION_H

#include <fender/expression.h>
#include <math.h>

/* Operations of two operands; of one, or of x with a slot. */
double fnd_expression_of_two(int operation, double a, double b);
double fnd_expression_of_one(const fender_instruction *i, double x, const double *slots);

#if defined(__GNUC__)
#define FND_WITHIN static inline __attribute__((always_inline))
#else
#define FND_WITHIN static inline
#endif

/* The value of a program of `count` instructions. *tapped gets the value on top of the stack after the first `tap` of
 * them. `stack` has room for as many values as there are instructions. */
FND_WITHIN double fnd_expression_run(const fender_instruction *code, int tap, int count, const double *slots,
                                     double *tapped, double *stack)
{
    const fender_instruction *i = code, *end = code + tap;
    double x = 0, *below = stack; /* x: the top of the stack; what a first value pushes down is never read */
run:
    for (; i < end; i++) {
        switch (i->operation) {
        case FENDER_OP_NUMBER:
            *below++ = x;
            x = i->number;
            break;
        case FENDER_OP_SLOT:
            *below++ = x;
            x = slots[i->slot];
            break;
        case FENDER_OP_SLOT_TIMES:
            *below++ = x;
            x = slots[i->slot] * i->number;
            break;
        case FENDER_OP_PLUS_SLOT_TIMES: x += slots[i->slot] * i->number; break;
        case FENDER_OP_PLUS_NUMBER: x += i->number; break;
        case FENDER_OP_TIMES_NUMBER: x *= i->number; break;
        case FENDER_OP_TIMES_SLOT: x *= slots[i->slot]; break;
        case FENDER_OP_ADD: x = *--below + x; break;
        case FENDER_OP_MULTIPLY: x = *--below * x; break;
        case FENDER_OP_HALVES: /* x^1.5 is common */
            x = i->slot == 3 ? x * sqrt(x) : fnd_expression_of_one(i, x, slots);
            break;
        default:
            if (i->operation >= FENDER_OP_MIN && i->operation <= FENDER_OP_OR)
                below--, x = fnd_expression_of_two(i->operation, *below, x);
            else x = fnd_expression_of_one(i, x, slots);
        }
    }
    if (end == code + tap) *tapped = x;
    if (end == code + count) return x;
    end = code + count;
    goto run;
}

#endif
