/* Expressions in reverse Polish order: checked, evaluated, shortened. */
#include "math/expression.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/elementary.h"

/* ---- Powers */

enum { FRACTIONS = 60 };

/* The root of a positive number by Newton's method, to the last bit or nearly: 32^0.2 is 2. */
static double root_of(double a, int degree)
{
    if (degree == 1) return a;
    if (degree == 2) return sqrt(a);
    if (!(a > 0) || !isfinite(a)) return a == 0 ? 0 : NAN;
    int exponent;
    (void)frexp(a, &exponent);
    double root = ldexp(1, exponent / degree + 1); /* above the root, from where the iteration falls */
    for (int pass = 0; pass < 200; pass++) {
        double power = root;
        for (int i = 2; i < degree; i++) power *= root;
        double next = ((degree - 1) * root + a / power) / degree;
        if (!(next < root)) break;
        root = next;
    }
    return root;
}

static double integer_power(double a, int exponent)
{
    double result = 1;
    for (int left = exponent < 0 ? -exponent : exponent; left > 0; left /= 2) {
        if (left % 2 == 1) result *= a;
        a *= a;
    }
    return exponent < 0 ? 1 / result : result;
}

bool fender_expression_exponent(double exponent, int *numerator, int *denominator)
{
    double sixtieths = floor(exponent * FRACTIONS + 0.5);
    if (!(fabs(exponent) <= 1000) || fabs(exponent * FRACTIONS - sixtieths) > 1e-9) return false;
    *numerator = (int)sixtieths;
    *denominator = FRACTIONS;
    for (int divisor = FRACTIONS; divisor > 1; divisor--)
        if (*numerator % divisor == 0 && *denominator % divisor == 0) *numerator /= divisor, *denominator /= divisor;
    return true;
}

static double power_of(double base, double exponent)
{
    int numerator, denominator;
    if (!fender_expression_exponent(exponent, &numerator, &denominator)) return fnd_power(base, exponent);
    return integer_power(denominator > 1 && base < 0 ? NAN : root_of(base, denominator), numerator);
}

/* a^(halves / 2) */
static double half_power(double a, int halves)
{
    if (halves == 3) return a * sqrt(a);
    if (halves % 2 == 0) return integer_power(a, halves / 2);
    return integer_power(sqrt(a), halves);
}

/* ---- Values */

/* Near zero by the series of sinh and cosh, where the quotient of exponentials would cancel. */
static double hyperbolic_tangent(double x)
{
    double z = x * x;
    if (z < 0.1) {
        double sinh_x = x * (1 + z / 6 * (1 + z / 20 * (1 + z / 42 * (1 + z / 72 * (1 + z / 110 * (1 + z / 156))))));
        double cosh_x = 1 + z / 2 * (1 + z / 12 * (1 + z / 30 * (1 + z / 56 * (1 + z / 90 * (1 + z / 132)))));
        return sinh_x / cosh_x;
    }
    double e = fnd_exponential(-2 * fabs(x)), size = (1 - e) / (1 + e);
    return x < 0 ? -size : size;
}

double fnd_expression_of_one(const fender_instruction *i, double x, const double *slots)
{
    double sine, cosine;
    switch (i->operation) {
    case FENDER_OP_PLUS_SLOT: return x + slots[i->slot];
    case FENDER_OP_HALVES: return half_power(x, i->slot);
    case FENDER_OP_NEGATE: return -x;
    case FENDER_OP_NOT: return isnan(x) ? x : x == 0;
    case FENDER_OP_ABS: return fabs(x);
    case FENDER_OP_SQRT: return sqrt(x);
    case FENDER_OP_EXP: return fnd_exponential(x);
    case FENDER_OP_LOG: return fnd_logarithm(x);
    case FENDER_OP_TANH: return hyperbolic_tangent(x);
    default: break;
    }
    fnd_sin_cos(x, &sine, &cosine);
    return i->operation == FENDER_OP_SIN ? sine : i->operation == FENDER_OP_COS ? cosine : sine / cosine;
}

double fnd_expression_of_two(int operation, double a, double b)
{
    switch (operation) {
    case FENDER_OP_MIN: return a < b ? a : b;
    case FENDER_OP_MAX: return a > b ? a : b;
    case FENDER_OP_ADD: return a + b;
    case FENDER_OP_SUBTRACT: return a - b;
    case FENDER_OP_MULTIPLY: return a * b;
    case FENDER_OP_DIVIDE: return a / b;
    case FENDER_OP_POWER: return power_of(a, b);
    case FENDER_OP_LESS: return a < b;
    case FENDER_OP_LESS_EQUAL: return a <= b;
    case FENDER_OP_GREATER: return a > b;
    case FENDER_OP_GREATER_EQUAL: return a >= b;
    case FENDER_OP_AND: return a != 0 && b != 0;
    default: return a != 0 || b != 0;
    }
}

double fender_expression_value(const fender_instruction *code, int count, const double *slots)
{
    double stack[FENDER_EXPRESSION_LIMIT + 1], unused;
    assert(count >= 0 && count <= FENDER_EXPRESSION_LIMIT);
    return fnd_expression_run(code, count, count, slots, &unused, stack);
}

/* ---- Programs */

static bool has_slot(int operation)
{
    return operation == FENDER_OP_SLOT || operation == FENDER_OP_PLUS_SLOT || operation == FENDER_OP_TIMES_SLOT ||
           operation == FENDER_OP_SLOT_TIMES || operation == FENDER_OP_PLUS_SLOT_TIMES;
}

static bool pushes(int operation)
{
    return operation == FENDER_OP_NUMBER || operation == FENDER_OP_SLOT || operation == FENDER_OP_SLOT_TIMES;
}

static bool takes_two(int operation) { return operation >= FENDER_OP_MIN && operation <= FENDER_OP_OR; }

bool fender_expression_is_valid(const fender_instruction *code, int count, int slot_count)
{
    int depth = 0;
    if (!code || count < 1 || count > FENDER_EXPRESSION_LIMIT) return false;
    for (int i = 0; i < count; i++) {
        const int operation = code[i].operation;
        if (operation < 0 || operation > FENDER_OP_PLUS_SLOT_TIMES) return false;
        if (has_slot(operation) && (code[i].slot < 0 || code[i].slot >= slot_count)) return false;
        if (depth < (pushes(operation) ? 0 : takes_two(operation) ? 2 : 1)) return false;
        depth += pushes(operation) ? 1 : takes_two(operation) ? -1 : 0;
    }
    return depth == 1;
}

void fender_expression_bind(fender_instruction *code, int count, int slot, double number)
{
    for (int i = 0; i < count; i++) {
        fender_instruction *at = &code[i];
        if (!has_slot(at->operation) || at->slot != slot) continue;
        switch (at->operation) {
        case FENDER_OP_SLOT: *at = (fender_instruction){FENDER_OP_NUMBER, 0, number}; break;
        case FENDER_OP_PLUS_SLOT: *at = (fender_instruction){FENDER_OP_PLUS_NUMBER, 0, number}; break;
        case FENDER_OP_TIMES_SLOT: *at = (fender_instruction){FENDER_OP_TIMES_NUMBER, 0, number}; break;
        case FENDER_OP_SLOT_TIMES: *at = (fender_instruction){FENDER_OP_NUMBER, 0, number * at->number}; break;
        default: *at = (fender_instruction){FENDER_OP_PLUS_NUMBER, 0, number * at->number}; break;
        }
    }
}

bool fender_expression_reads(const fender_instruction *code, int count, int slot)
{
    for (int i = 0; i < count; i++)
        if (has_slot(code[i].operation) && code[i].slot == slot) return true;
    return false;
}

/* ---- Shortening
 *
 * Instructions are moved one by one to the new program; `start` has, for each value on the stack, where its part of the
 * new program begins. */

typedef struct shortened {
    fender_instruction *code;
    int count, start[FENDER_EXPRESSION_LIMIT + 1], depth;
} shortened;

/* The only instruction of the value that is `down` below the top; NULL if it has more. */
static fender_instruction *only_one(const shortened *s, int down)
{
    int from = s->start[s->depth - 1 - down], to = down == 0 ? s->count : s->start[s->depth - down];
    return to - from == 1 ? &s->code[from] : NULL;
}

static bool is(const fender_instruction *i, int operation) { return i && i->operation == operation; }

/* x + 0, 1 x and x^1 are x. */
static void append(shortened *s, fender_instruction i)
{
    fender_instruction *top = only_one(s, 0);
    if (is(top, FENDER_OP_NUMBER) && !pushes(i.operation)) { /* an operation on a number alone */
        fender_instruction both[2] = {*top, i};
        if (!has_slot(i.operation)) {
            *top = (fender_instruction){FENDER_OP_NUMBER, 0, fender_expression_value(both, 2, NULL)};
            return;
        }
    }
    if ((i.operation == FENDER_OP_PLUS_NUMBER && i.number == 0) ||
        (i.operation == FENDER_OP_TIMES_NUMBER && i.number == 1) || (i.operation == FENDER_OP_HALVES && i.slot == 2))
        return;
    s->code[s->count++] = i;
}

static void append_two(shortened *s, fender_instruction i)
{
    fender_instruction *left = only_one(s, 1), *right = only_one(s, 0);
    const bool sum = i.operation == FENDER_OP_ADD || i.operation == FENDER_OP_SUBTRACT;
    const bool product = i.operation == FENDER_OP_MULTIPLY;
    if (is(left, FENDER_OP_NUMBER) && is(right, FENDER_OP_NUMBER)) {
        const fender_instruction three[3] = {*left, *right, i};
        *left = (fender_instruction){FENDER_OP_NUMBER, 0, fender_expression_value(three, 3, NULL)};
        s->count--, s->depth--;
        return;
    }
    if ((i.operation == FENDER_OP_ADD || product) && !is(right, FENDER_OP_NUMBER) &&
        (is(left, FENDER_OP_NUMBER) ||
         (!right && (is(left, FENDER_OP_SLOT) ||
                     (!product && is(left, FENDER_OP_SLOT_TIMES)))))) { /* the simpler operand comes last */
        const fender_instruction moved = *left;
        int from = s->start[s->depth - 2];
        memmove(&s->code[from], &s->code[from + 1], (size_t)(s->count - from - 1) * sizeof *s->code);
        s->code[s->count - 1] = moved;
        s->start[s->depth - 1] = s->count - 1;
        left = only_one(s, 1);
        right = only_one(s, 0);
    }
    if (right && (sum || product || i.operation == FENDER_OP_POWER)) {
        const fender_instruction last = *right;
        fender_instruction made = {-1, last.slot, last.number};
        const bool number = last.operation == FENDER_OP_NUMBER, plus = i.operation == FENDER_OP_ADD;
        if (number && sum) made.operation = FENDER_OP_PLUS_NUMBER, made.number = plus ? last.number : -last.number;
        if (number && product) made.operation = FENDER_OP_TIMES_NUMBER;
        if (number && i.operation == FENDER_OP_POWER && fabs(last.number) <= 16 &&
            2 * last.number == floor(2 * last.number))
            made.operation = FENDER_OP_HALVES, made.slot = (int32_t)(2 * last.number);
        if (last.operation == FENDER_OP_SLOT && plus) made.operation = FENDER_OP_PLUS_SLOT;
        if (last.operation == FENDER_OP_SLOT && product) made.operation = FENDER_OP_TIMES_SLOT;
        if (last.operation == FENDER_OP_SLOT_TIMES && sum)
            made.operation = FENDER_OP_PLUS_SLOT_TIMES, made.number = plus ? last.number : -last.number;
        if (made.operation >= 0) {
            s->count--, s->depth--;
            if (made.operation == FENDER_OP_TIMES_NUMBER && is(left, FENDER_OP_SLOT) && left == only_one(s, 0))
                *left = (fender_instruction){FENDER_OP_SLOT_TIMES, left->slot, made.number};
            else append(s, made);
            return;
        }
    }
    s->depth--;
    s->code[s->count++] = i;
}

int fender_expression_shorten(fender_instruction *code, int count)
{
    shortened s = {.code = code};
    assert(count <= FENDER_EXPRESSION_LIMIT);
    for (int k = 0; k < count; k++) {
        const fender_instruction i = code[k]; /* what is written is never ahead of what is read */
        if (pushes(i.operation)) {
            s.start[s.depth++] = s.count;
            s.code[s.count++] = i;
        } else if (takes_two(i.operation)) append_two(&s, i);
        else append(&s, i);
    }
    return s.count;
}
