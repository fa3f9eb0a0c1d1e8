/* Expressions: read into reverse Polish order, evaluated with their dimensions. */
#include "scenario/expression.h"

#include "support/json.h"
#include "support/number.h"
#include "units/dimension.h"
#include <fender/units.h>
#include <math.h>
#include <string.h>

/* ---- parsing */

typedef struct parser {
    fnd_reader *reader;
    const fnd_expression_def *def;
    const char *text, *at;
    fnd_operator code[FND_EXPRESSION_CODE_LIMIT];
    int count, depth;
    bool logical, failed;
} parser;

fnd_location fnd_expression_location(const fnd_node *node, size_t at, size_t length)
{
    fnd_location location = *fnd_node_shown_location(node);
    size_t whole = strlen(node->text);
    const int quotes = location.length - (int)fnd_utf8_count(node->text, whole);
    if (location.column != node->location.column || (quotes != 0 && quotes != 2)) return location;
    if (at >= whole) at = whole > 0 ? whole - 1 : 0;
    if (length < 1 || at + length > whole) length = 1;
    location.column += (int)fnd_utf8_count(node->text, at) + quotes / 2;
    location.length = (int)fnd_utf8_count(node->text + at, length);
    if (location.length < 1) location.length = 1;
    return location;
}

static fnd_location location_of(const parser *p, size_t length)
{
    return p->def->style == FND_EXPRESSION_LOGICAL
               ? *fnd_node_shown_location(p->def->node)
               : fnd_expression_location(p->def->node, (size_t)(p->at - p->text), length);
}

static void fail(parser *p, fender_status status, const char *message, const char *expected, const char *suggestion)
{
    if (p->failed) return;
    p->failed = true;
    fnd_location location = location_of(p, 1);
    fnd_complain(p->reader, &location, status, message, p->at[0] ? fnd_shown(p->at).text : "the end of the expression",
                 expected, suggestion);
}

static const char *remedy_of_size(const parser *p)
{
    return p->def->style == FND_EXPRESSION_LAW       ? "compute constants beforehand, or write the law as a plug-in"
           : p->def->style == FND_EXPRESSION_LOAD    ? "compute constants beforehand, or make two loads of it"
           : p->def->style == FND_EXPRESSION_LOGICAL ? "split it into outcomes"
                                                     : "split it into parameters";
}

static void emit(parser *p, fnd_operator op)
{
    if (p->count == FND_EXPRESSION_CODE_LIMIT)
        fail(p, FENDER_STATUS_VALUE, "the expression is too long", "at most 256 parts", remedy_of_size(p));
    else p->code[p->count++] = op;
}

static void emit_code(parser *p, int code, const char *at)
{
    emit(p, (fnd_operator){.operation = code, .at = (int)(at - p->text)});
}

static void skip(parser *p)
{
    while (*p->at == ' ' || *p->at == '\n') p->at++;
}

static size_t word_length(const parser *p, const char *at)
{
    size_t n = 0;
    const bool dotted = p->def->style == FND_EXPRESSION_LOGICAL || p->def->style == FND_EXPRESSION_LOAD;
    if (!fnd_is_letter(at[0])) return 0;
    while (fnd_is_letter(at[n]) || fnd_is_digit(at[n]) || (dotted && at[n] == '.')) n++;
    return n;
}

static bool take(parser *p, const char *token)
{
    skip(p);
    size_t n = strlen(token);
    if (strncmp(p->at, token, n) != 0) return false;
    if (fnd_is_letter(token[0]) && word_length(p, p->at) != n) return false;
    p->at += n;
    return true;
}

static void parse_all(parser *p);

/* ---- numbers and their units */

static bool is_unit_letter(char c) { return fnd_is_letter(c) || (unsigned char)c >= 0x80 || c == '%'; }

static size_t exponent_length(const char *t)
{
    size_t n = 1, digits = 0;
    if (t[0] != '^') return 0;
    bool bracket = t[n] == '(';
    n += bracket;
    n += t[n] == '-' || t[n] == '+';
    for (; fnd_is_digit(t[n]) || (digits > 0 && (t[n] == '.' || (bracket && t[n] == '/'))); n++) digits++;
    if (digits == 0 || (bracket && t[n] != ')')) return 0;
    return n + bracket;
}

static size_t unit_length(const char *t);

static size_t factor_length(const char *t)
{
    size_t n = 0;
    if (t[0] == '(') {
        size_t inner = unit_length(t + 1);
        if (inner == 0 || t[1 + inner] != ')') return 0;
        n = inner + 2;
    } else {
        while (is_unit_letter(t[n])) n++;
        if (n == 0 || t[n] == '(') return 0; /* a function */
    }
    return n + exponent_length(t + n);
}

/* Of a unit behind a number: written without spaces. */
static size_t unit_length(const char *t)
{
    size_t n = t[0] == '1' && t[1] == '/' ? 2 : 0, more = factor_length(t + n);
    if (more == 0) return 0;
    for (n += more; t[n] == '*' || t[n] == '/'; n += 1 + more)
        if ((more = factor_length(t + n + 1)) == 0) break;
    return n;
}

static void apply_unit(parser *p, const char *unit, size_t length, fnd_operator *op)
{
    fender_unit parsed;
    fender_error error = {0};
    char si[160];
    if (p->failed) return;
    char *text = fnd_keep_text(p->reader, unit, length);
    if (text && fender_unit_parse(text, length, &parsed, &error) == FENDER_STATUS_OK) {
        memcpy(op->exponent, parsed.exponent, sizeof op->exponent);
        fnd_dimension_text(parsed.exponent, si, sizeof si);
        /* rounded once where that can be done */
        if (fender_unit_to_si(op->number, text, si, &op->number, NULL) != FENDER_STATUS_OK)
            op->number = parsed.scale * (op->number + parsed.offset);
        return;
    }
    p->failed = true;
    if (!text) return;
    fnd_location location = p->def->style == FND_EXPRESSION_LOGICAL
                                ? *fnd_node_shown_location(p->def->node)
                                : fnd_expression_location(p->def->node, (size_t)(unit - p->text), length);
    fnd_complain(p->reader, &location, error.status, error.message, fnd_shown(text).text,
                 error.expected[0] ? error.expected : "a unit", error.suggestion);
}

static void number(parser *p)
{
    fnd_operator op = {.operation = FENDER_OP_NUMBER, .at = (int)(p->at - p->text)};
    size_t used = 0;
    if (!fnd_number_parse(p->at, strlen(p->at), &op.number, &used)) {
        fail(p, FENDER_STATUS_PARSE, "a number is expected here", "a number", "write, for example, 0.5 or 2e5");
        return;
    }
    p->at += used;
    const char *behind = p->at;
    skip(p);
    if (p->logical && *p->at == '[') {
        const char *end = strchr(p->at, ']');
        if (!end) fail(p, FENDER_STATUS_PARSE, "the unit is not closed", "']'", "write 2 [m]");
        else {
            apply_unit(p, p->at + 1, (size_t)(end - p->at) - 1, &op);
            p->at = end + 1;
        }
    } else if (!p->logical) {
        size_t length = unit_length(p->at);
        if (length > 0) apply_unit(p, p->at, length, &op);
        p->at = length > 0 ? p->at + length : behind;
    }
    emit(p, op);
}

/* ---- names and functions */

static bool function(parser *p, size_t n)
{
    static const struct {
        const char *name;
        int operation, arguments;
    } functions[] = {{"abs", FENDER_OP_ABS, 1},  {"sqrt", FENDER_OP_SQRT, 1}, {"min", FENDER_OP_MIN, 2},
                     {"max", FENDER_OP_MAX, 2},  {"sin", FENDER_OP_SIN, 1},   {"cos", FENDER_OP_COS, 1},
                     {"tan", FENDER_OP_TAN, 1},  {"exp", FENDER_OP_EXP, 1},   {"log", FENDER_OP_LOG, 1},
                     {"tanh", FENDER_OP_TANH, 1}};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strlen(functions[i].name) != n || strncmp(functions[i].name, p->at, n) != 0) continue;
        const char *at = p->at;
        p->at += n;
        if (!take(p, "(")) fail(p, FENDER_STATUS_PARSE, "a function needs its argument", "'('", "write abs(x)");
        if (!p->failed) parse_all(p);
        for (int a = 1; a < functions[i].arguments && !p->failed; a++) {
            if (!take(p, ",")) fail(p, FENDER_STATUS_PARSE, "an argument is missing", "','", "write min(a, b)");
            if (!p->failed) parse_all(p);
        }
        if (!p->failed && !take(p, ")")) fail(p, FENDER_STATUS_PARSE, "the bracket is not closed", "')'", "add ')'");
        emit_code(p, functions[i].operation, at);
        return true;
    }
    return false;
}

static void name(parser *p)
{
    const char *at = p->at;
    size_t n = word_length(p, p->at + !p->logical);
    fnd_location location = location_of(p, n + !p->logical);
    p->at += !p->logical;
    int slot = p->def->find(p->def->ctx, p->at, &n, &location);
    p->at += n;
    if (slot < 0) p->failed = true; /* that has been said */
    emit(p, (fnd_operator){.operation = FENDER_OP_SLOT, .slot = slot, .at = (int)(at - p->text)});
}

static void complain_word(parser *p, size_t n)
{
    if (p->failed) return;
    p->failed = true;
    char *word = fnd_keep_text(p->reader, p->at, n);
    if (!word) return;
    fnd_location location = location_of(p, n);
    fnd_phrase found = fnd_shown(word);
    fnd_complain(p->reader, &location, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' is neither a parameter nor a function", found.text).text, found.text,
                 "$NAME, or one of abs, sqrt, sin, cos, tan, exp, log, tanh, min, max",
                 "names of parameters begin with '$'; units follow a number without spaces in them: 3 m/s");
}

static void atom(parser *p)
{
    skip(p);
    bool dollar = p->at[0] == '$' && !p->logical;
    size_t n = word_length(p, p->at);
    if (dollar && p->at[1] == '(') p->at++;
    if (take(p, "(")) {
        parse_all(p);
        if (!p->failed && !take(p, ")")) fail(p, FENDER_STATUS_PARSE, "the bracket is not closed", "')'", "add ')'");
    } else if (fnd_is_digit(*p->at) || *p->at == '.') number(p);
    else if (dollar && fnd_is_letter(p->at[1])) name(p);
    else if (dollar)
        fail(p, FENDER_STATUS_PARSE, "'$' is not followed by a name", "$NAME",
             "write $$ for a dollar sign that is part of a text");
    else if (n > 0 && function(p, n)) return;
    else if (n > 0 && p->logical) name(p);
    else if (n > 0) complain_word(p, n);
    else if (p->logical && p->at[0] == '$')
        fail(p, FENDER_STATUS_NAME, "names of this expression have no '$'", "a name",
             p->def->style == FND_EXPRESSION_LOGICAL ? "leave out '$'" : "name the parameter under constants: {k: $k}");
    else if (p->logical)
        fail(p, FENDER_STATUS_PARSE, "the expression is incomplete", "a number, a name or '('",
             p->def->style == FND_EXPRESSION_LAW    ? "write, for example, k * depth * (1 + c * rate)"
             : p->def->style == FND_EXPRESSION_LOAD ? "write, for example, -k * position.x - c * velocity.x"
                                                    : "write, for example, tilt > 30 [deg] and not slid");
    else
        fail(p, FENDER_STATUS_PARSE, "the expression is incomplete", "a number, $NAME or '('",
             "write, for example, $gap / 2 + 3 mm");
}

/* -a^2 is -(a^2), and 2^-1 a half. */
static void unary(parser *p)
{
    skip(p);
    if (p->failed || ++p->depth > FND_EXPRESSION_DEPTH_LIMIT) {
        fail(p, FENDER_STATUS_VALUE, "the expression is nested too deeply", "64 levels", remedy_of_size(p));
        return;
    }
    const char *at = p->at;
    if (take(p, "-")) {
        unary(p);
        emit_code(p, FENDER_OP_NEGATE, at);
    } else {
        atom(p);
        skip(p);
        at = p->at;
        if (!p->failed && take(p, "^")) {
            unary(p);
            emit_code(p, FENDER_OP_POWER, at);
        }
    }
    p->depth--;
}

typedef struct level {
    const char *token[4];
    int code[4];
} level;
static const level levels[] = {
    {{"or"}, {FENDER_OP_OR}},
    {{"and"}, {FENDER_OP_AND}},
    {{"<=", "<", ">=", ">"}, {FENDER_OP_LESS_EQUAL, FENDER_OP_LESS, FENDER_OP_GREATER_EQUAL, FENDER_OP_GREATER}},
    {{"+", "-"}, {FENDER_OP_ADD, FENDER_OP_SUBTRACT}},
    {{"*", "/"}, {FENDER_OP_MULTIPLY, FENDER_OP_DIVIDE}}};
enum { LEVEL_COUNT = sizeof levels / sizeof levels[0], COMPARISON = 2, SUM = 3 };

/* a < b < c would compare 0 or 1 with c. */
static void refuse_chain(parser *p)
{
    fail(p, FENDER_STATUS_PARSE, "a comparison is compared here", "one of <, <=, >, >= between two values",
         "join two comparisons by 'and': write a < b and b < c");
}

static void parse_level(parser *p, int at)
{
    if (at == LEVEL_COUNT) {
        unary(p);
        return;
    }
    const char *place = p->at;
    if (at == COMPARISON && take(p, "not")) {
        if (++p->depth > FND_EXPRESSION_DEPTH_LIMIT)
            fail(p, FENDER_STATUS_VALUE, "the expression is nested too deeply", "64 levels", remedy_of_size(p));
        else parse_level(p, at);
        p->depth--;
        emit_code(p, FENDER_OP_NOT, place);
        return;
    }
    parse_level(p, at + 1);
    for (bool more = true, compared = false; more && !p->failed;) {
        more = false;
        for (int i = 0; i < 4 && levels[at].token[i] && !more; i++) {
            skip(p);
            place = p->at;
            if (!take(p, levels[at].token[i])) continue;
            if (at == COMPARISON && compared) {
                p->at = place;
                refuse_chain(p);
            }
            more = compared = true;
            parse_level(p, at + 1);
            emit_code(p, levels[at].code[i], place);
        }
    }
}

/* What may be meant by text behind an expression with words for names. */
static const char *remedy_of_rest(const parser *p)
{
    if (p->at[0] == ')') return "remove ')', or add '('";
    if (p->at[0] == '=') return "comparisons are <, <=, > and >=";
    return "write units in brackets: 2 [m]; join values by +, -, *, / or ^";
}

static void parse_all(parser *p) { parse_level(p, p->logical ? 0 : SUM); }

bool fnd_expression_read(fnd_reader *reader, const fnd_expression_def *def, fnd_operator **code, int *count)
{
    parser p = {.reader = reader,
                .def = def,
                .text = def->node->text,
                .at = def->node->text,
                .logical = def->style != FND_EXPRESSION_VALUE};
    parse_all(&p);
    skip(&p);
    if (*p.at && p.logical)
        fail(&p, FENDER_STATUS_PARSE, "unexpected text after the expression", "<, <=, >, >=, and, or, +, -, *, /, ^",
             remedy_of_rest(&p));
    else if (*p.at)
        fail(&p, FENDER_STATUS_PARSE, "unexpected text after the expression", "+, -, *, /, ^ or the end",
             "a unit follows a number, not a name: write $gap + 2 mm");
    if (p.failed) return false;
    *code = fnd_keep(reader, (size_t)p.count, sizeof **code);
    if (!*code) return false;
    memcpy(*code, p.code, (size_t)p.count * sizeof p.code[0]);
    *count = p.count;
    return true;
}

/* ---- values with dimensions */

typedef struct evaluation {
    fnd_reader *reader;
    const fnd_node *node;
    fnd_expression_style style;
} evaluation;

static const int32_t no_dimension[FENDER_DIMENSION_COUNT] = {0};

static bool is_plain(const fnd_quantity *q) { return memcmp(q->exponent, no_dimension, sizeof no_dimension) == 0; }

/* "a mass [kg]", "a plain number" */
static fnd_phrase described(const fnd_quantity *q)
{
    char name[120], unit[120];
    if (is_plain(q)) return fnd_phrase_make("a plain number");
    fnd_dimension_phrase(q->exponent, name, sizeof name);
    fnd_dimension_text(q->exponent, unit, sizeof unit);
    return strstr(name, unit) ? fnd_phrase_make("%s", name) : fnd_phrase_make("%s [%s]", name, unit);
}

static bool refuse(const evaluation *e, const fnd_operator *op, size_t length, fender_status status,
                   const char *message, const char *found, const char *expected, const char *suggestion)
{
    fnd_location location = fnd_expression_location(e->node, (size_t)op->at, length);
    fnd_complain(e->reader, &location, status, message, found, expected, suggestion);
    return false;
}

static const char *function_name(int operation)
{
    static const char *const names[] = {"not", "abs", "sqrt", "sin", "cos", "tan", "exp", "log", "tanh", "min", "max",
                                        "+",   "-",   "*",    "/",   "^",   "<",   "<=",  ">",   ">=",   "and", "or"};
    return names[operation - FENDER_OP_NOT];
}

static bool need_same(const evaluation *e, const fnd_operator *op, const fnd_quantity *a, const fnd_quantity *b)
{
    if (a->free || b->free || fnd_dimension_compare(a->exponent, b->exponent) == FND_AGREE) return true;
    fnd_phrase left = described(a), right = described(b);
    const char *what = function_name(op->operation);
    return refuse(e, op, strlen(what), FENDER_STATUS_UNIT,
                  fnd_phrase_make("'%s' needs two values of one kind, not %s and %s", what, left.text, right.text).text,
                  fnd_phrase_make("%s and %s", left.text, right.text).text, "two values with the same dimension",
                  e->style == FND_EXPRESSION_LOGICAL ? "is the unit that of the value, or is a factor missing?"
                  : !is_plain(a) && !is_plain(b)     ? "are the parameters mixed up, or is a factor missing?"
                  : e->style == FND_EXPRESSION_VALUE ? "give the plain number a unit: 3 mm"
                                                     : "give the plain number a unit: 3 [mm]");
}

static bool scale_dimension(const evaluation *e, const fnd_operator *op, fnd_quantity *q, int numerator,
                            int denominator)
{
    for (int i = 0; i < FENDER_DIMENSION_COUNT; i++) {
        int64_t product = (int64_t)q->exponent[i] * numerator;
        if (product % denominator != 0 || product / denominator > 60000 || product / denominator < -60000)
            return refuse(e, op, 1, FENDER_STATUS_UNIT, "the dimension of this power is not in use", described(q).text,
                          "powers in sixtieths, at most 1000", "check the exponent");
        q->exponent[i] = (int32_t)(product / denominator);
    }
    return true;
}

static bool need_plain(const evaluation *e, const fnd_operator *op, size_t length, const fnd_quantity *q)
{
    if (is_plain(q)) return true;
    const char *name = op->operation == FENDER_OP_POWER ? "the exponent" : function_name(op->operation);
    return refuse(e, op, length, FENDER_STATUS_UNIT,
                  op->operation == FENDER_OP_POWER
                      ? fnd_phrase_make("%s is %s", name, described(q).text).text
                      : fnd_phrase_make("'%s' needs a plain number, not %s", name, described(q).text).text,
                  described(q).text, "a plain number",
                  op->operation == FENDER_OP_NOT || op->operation >= FENDER_OP_AND
                      ? "compare it with a bound, with <, <=, > or >="
                      : "divide it by a value of the same kind");
}

/* The value from those of the operands, whatever their dimensions; an operand may be unknown. */
static double apply(int operation, double a, double b)
{
    const bool two = operation >= FENDER_OP_MIN;
    const fender_instruction code[3] = {
        {FENDER_OP_NUMBER, 0, two ? a : b}, {two ? FENDER_OP_NUMBER : operation, 0, b}, {operation, 0, 0}};
    return fender_expression_value(code, two ? 3 : 2, NULL);
}

static bool raise(const evaluation *e, const fnd_operator *op, fnd_quantity *a, const fnd_quantity *b)
{
    int numerator = 1, denominator = 1;
    if (!need_plain(e, op, 1, b)) return false;
    const bool fraction = !b->unknown && fender_expression_exponent(b->value, &numerator, &denominator);
    if (b->unknown && !is_plain(a))
        return refuse(e, op, 1, FENDER_STATUS_UNIT, "the exponent of a value with a unit changes", described(a).text,
                      "a constant exponent, or a plain number to be raised",
                      "divide the value by one of the same kind before");
    if (!fraction && !is_plain(a))
        return refuse(e, op, 1, FENDER_STATUS_VALUE, "this exponent is not in use", fnd_digits(b->value, "").text,
                      "a whole number or a fraction such as 1.5, 1/3 or 0.7, at most 1000",
                      "divide the value by one of the same kind before, write the value out, or use sqrt");
    if (!a->unknown && !b->unknown && (!fraction || denominator > 1) && a->value < 0)
        return refuse(e, op, 1, FENDER_STATUS_VALUE, "the root of a negative number", fnd_digits(a->value, "").text,
                      "0 or more", "is a sign wrong?");
    a->value = apply(FENDER_OP_POWER, a->value, b->value);
    a->unknown = a->unknown || b->unknown;
    return !fraction || scale_dimension(e, op, a, numerator, denominator);
}

static bool need_angle(const evaluation *e, const fnd_operator *op, const fnd_quantity *q)
{
    fender_unit angle;
    if (is_plain(q)) return true;
    if (fender_unit_parse("rad", 3, &angle, NULL) == FENDER_STATUS_OK &&
        memcmp(angle.exponent, q->exponent, sizeof q->exponent) == 0)
        return true;
    return refuse(e, op, 3, FENDER_STATUS_UNIT,
                  fnd_phrase_make("'%s' needs an angle, not %s", function_name(op->operation), described(q).text).text,
                  described(q).text, "an angle [rad] or a plain number", "divide it by a value of the same kind");
}

/* `a` becomes the result; of operators with one operand it is the operand, and so is `b`. */
static bool combine(const evaluation *e, const fnd_operator *op, fnd_quantity *a, const fnd_quantity *b)
{
    fnd_quantity left = *a;
    switch (op->operation) {
    case FENDER_OP_SIN:
    case FENDER_OP_COS:
    case FENDER_OP_TAN:
        if (!need_angle(e, op, a)) return false;
        memcpy(a->exponent, no_dimension, sizeof a->exponent);
        a->free = false;
        break;
    case FENDER_OP_EXP:
    case FENDER_OP_LOG:
    case FENDER_OP_TANH:
    case FENDER_OP_NOT:
        if (!need_plain(e, op, strlen(function_name(op->operation)), a)) return false;
        a->free = false;
        break;
    case FENDER_OP_AND:
    case FENDER_OP_OR:
        if (!need_plain(e, op, strlen(function_name(op->operation)), is_plain(a) ? b : a)) return false;
        a->free = false;
        break;
    case FENDER_OP_SQRT:
        if (a->value < 0 && !a->unknown)
            return refuse(e, op, 4, FENDER_STATUS_VALUE, "the root of a negative number", fnd_digits(a->value, "").text,
                          "0 or more", "is a sign wrong?");
        if (!scale_dimension(e, op, a, 1, 2)) return false;
        break;
    case FENDER_OP_ADD:
    case FENDER_OP_SUBTRACT:
    case FENDER_OP_MIN:
    case FENDER_OP_MAX:
        if (!need_same(e, op, a, b)) return false;
        if (a->free) memcpy(a->exponent, b->exponent, sizeof a->exponent);
        a->free = a->free && b->free;
        break;
    case FENDER_OP_LESS:
    case FENDER_OP_LESS_EQUAL:
    case FENDER_OP_GREATER:
    case FENDER_OP_GREATER_EQUAL:
        if (!need_same(e, op, a, b)) return false;
        memcpy(a->exponent, no_dimension, sizeof a->exponent);
        a->free = false;
        break;
    case FENDER_OP_MULTIPLY:
    case FENDER_OP_DIVIDE:
        a->free = a->free || b->free;
        for (int i = 0; i < FENDER_DIMENSION_COUNT; i++)
            if (a->free) a->exponent[i] = 0;
            else a->exponent[i] += op->operation == FENDER_OP_MULTIPLY ? b->exponent[i] : -b->exponent[i];
        if (op->operation == FENDER_OP_DIVIDE && b->value == 0 && !b->unknown)
            return refuse(e, op, 1, FENDER_STATUS_VALUE, "this divides by zero", "0", "a divisor other than 0",
                          "check the divisor");
        break;
    case FENDER_OP_POWER: return raise(e, op, a, b);
    default: break;
    }
    a->value = apply(op->operation, left.value, b->value);
    a->unknown = left.unknown || b->unknown;
    return true;
}

bool fnd_expression_quantity(fnd_reader *reader, const fnd_expression_def *def, const fnd_operator *code, int count,
                             const fnd_quantity *slots, fnd_quantity *result)
{
    evaluation e = {reader, def->node, def->style};
    fnd_quantity stack[FND_EXPRESSION_CODE_LIMIT + 1];
    int top = -1;
    for (int i = 0; i < count; i++) {
        const fnd_operator *op = &code[i];
        if (op->operation == FENDER_OP_SLOT) {
            stack[++top] = slots[op->slot];
            continue;
        }
        if (op->operation == FENDER_OP_NUMBER) {
            stack[++top] = (fnd_quantity){.value = op->number};
            memcpy(stack[top].exponent, op->exponent, sizeof op->exponent);
            stack[top].free = def->style == FND_EXPRESSION_LOGICAL && is_plain(&stack[top]);
            continue;
        }
        fnd_quantity b = stack[top];
        if (op->operation >= FENDER_OP_MIN) top--;
        if (!combine(&e, op, &stack[top], &b)) return false;
        if (!stack[top].unknown && !isfinite(stack[top].value))
            return refuse(&e, op, 1, FENDER_STATUS_VALUE, "the result is not finite",
                          fnd_digits(stack[top].value, "").text, "a finite number", "check the powers of ten");
    }
    *result = stack[0];
    return true;
}

fender_instruction *fnd_expression_instructions(fnd_reader *reader, const fnd_operator *code, int count)
{
    fender_instruction *instructions = fnd_keep(reader, (size_t)count, sizeof *instructions);
    for (int i = 0; instructions && i < count; i++)
        instructions[i] = (fender_instruction){code[i].operation, code[i].slot, code[i].number};
    return instructions;
}
