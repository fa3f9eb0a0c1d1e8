/* Expressions over inputs, kept values and outcomes: "tilt > 30 [deg] or (slid and not upright)". */
#include "study/study.h"

#include "scenario/value.h"
#include "support/number.h"
#include <fender/units.h>
#include <math.h>
#include <string.h>

enum { CODE_LIMIT = 256, DEPTH_LIMIT = 64 };

typedef struct parser {
    fnd_reader *reader;
    const fender_study *study;
    const fnd_node *node;
    const char *at;
    fnd_operator code[CODE_LIMIT];
    int count, depth;
    int outcomes; /* that may be named */
    bool failed;
} parser;

static void fail(parser *p, fender_status status, const char *message, const char *expected, const char *suggestion)
{
    if (p->failed) return;
    p->failed = true;
    fnd_location location = *fnd_node_shown_location(p->node);
    fnd_complain(p->reader, &location, status, message, p->at[0] ? fnd_shown(p->at).text : "the end of the expression",
                 expected, suggestion);
}

static void emit(parser *p, fnd_operator op)
{
    if (p->count == CODE_LIMIT)
        fail(p, FENDER_STATUS_VALUE, "the expression is too long", "at most 256 parts", "split it into outcomes");
    else p->code[p->count++] = op;
}

static void skip(parser *p)
{
    while (*p->at == ' ' || *p->at == '\n') p->at++;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t word_length(const char *at)
{
    size_t n = 0;
    if (!is_letter(at[0])) return 0;
    while (is_letter(at[n]) || is_digit(at[n]) || at[n] == '.') n++;
    return n;
}

static bool take(parser *p, const char *token)
{
    skip(p);
    size_t n = strlen(token);
    if (strncmp(p->at, token, n) != 0) return false;
    if (is_letter(token[0]) && word_length(p->at) != n) return false;
    p->at += n;
    return true;
}

static void parse_or(parser *p);

static void number(parser *p)
{
    double value = 0;
    size_t used = 0;
    if (!fnd_number_parse(p->at, strlen(p->at), &value, &used)) {
        fail(p, FENDER_STATUS_PARSE, "a number is expected here", "a number", "");
        return;
    }
    p->at += used;
    skip(p);
    if (*p->at == '[') {
        const char *end = strchr(p->at, ']');
        fender_unit unit;
        fender_error error = {0};
        if (!end) fail(p, FENDER_STATUS_PARSE, "the unit is not closed", "']'", "write 2 [m]");
        else if (fender_unit_parse(p->at + 1, (size_t)(end - p->at) - 1, &unit, &error) != FENDER_STATUS_OK)
            fail(p, FENDER_STATUS_UNIT, error.message, error.expected, error.suggestion);
        else {
            value = unit.scale * (value + unit.offset);
            p->at = end + 1;
        }
    }
    emit(p, (fnd_operator){FND_NUMBER, 0, value});
}

static void name(parser *p)
{
    static const struct {
        const char *name;
        int code, arguments;
    } functions[] = {{"abs", FND_ABS, 1}, {"sqrt", FND_SQRT, 1}, {"min", FND_MIN, 2}, {"max", FND_MAX, 2}};
    size_t n = word_length(p->at);
    const fender_study *s = p->study;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strlen(functions[i].name) != n || strncmp(functions[i].name, p->at, n) != 0) continue;
        p->at += n;
        if (!take(p, "(")) fail(p, FENDER_STATUS_PARSE, "a function needs its argument", "'('", "write abs(x)");
        for (int a = 0; a < functions[i].arguments && !p->failed; a++) {
            if (a > 0 && !take(p, ","))
                fail(p, FENDER_STATUS_PARSE, "an argument is missing", "','", "write min(a, b)");
            if (!p->failed) parse_or(p);
        }
        if (!take(p, ")")) fail(p, FENDER_STATUS_PARSE, "the bracket is not closed", "')'", "");
        emit(p, (fnd_operator){functions[i].code, 0, 0});
        return;
    }
    char text[128];
    fnd_candidate names[64];
    int count = 0;
    for (int i = 0; i < s->input_count + s->kept_count + p->outcomes; i++) {
        const char *candidate = text;
        if (i < s->input_count) fnd_study_input_name(s, i, text, sizeof text);
        else if (i < s->input_count + s->kept_count) candidate = s->kept[i - s->input_count].id.name;
        else candidate = s->outcomes[i - s->input_count - s->kept_count].id.name;
        if (strlen(candidate) == n && strncmp(candidate, p->at, n) == 0) {
            p->at += n;
            emit(p, (fnd_operator){FND_SLOT, i, 0});
            return;
        }
        if (count < 64 && i < s->input_count) candidate = fnd_study_input_variable(s, i)->id.name;
        if (count < 64) names[count++] = (fnd_candidate){candidate, 0};
    }
    char *found = fnd_keep_text(p->reader, p->at, n);
    if (!found) return;
    fail(p, FENDER_STATUS_NAME, fnd_phrase_make("nothing is named '%s'", fnd_shown(found).text).text,
         "a variable, a kept value or an outcome above", fnd_suggest(p->reader, found, "names", names, count).text);
}

static void primary(parser *p)
{
    skip(p);
    if (p->failed || ++p->depth > DEPTH_LIMIT) {
        fail(p, FENDER_STATUS_VALUE, "the expression is nested too deeply", "64 levels", "split it into outcomes");
        return;
    }
    if (take(p, "(")) {
        parse_or(p);
        if (!take(p, ")")) fail(p, FENDER_STATUS_PARSE, "the bracket is not closed", "')'", "");
    } else if (take(p, "-")) {
        primary(p);
        emit(p, (fnd_operator){FND_NEGATE, 0, 0});
    } else if (is_digit(*p->at) || *p->at == '.') number(p);
    else if (is_letter(*p->at)) name(p);
    else
        fail(p, FENDER_STATUS_PARSE, "the expression is incomplete", "a number, a name or '('",
             "write, for example, tilt > 30 [deg] and not slid");
    p->depth--;
}

typedef struct level {
    const char *token[4];
    int code[4];
} level;
static const level levels[] = {{{"or"}, {FND_OR}},
                               {{"and"}, {FND_AND}},
                               {{"<=", "<", ">=", ">"}, {FND_LESS_EQUAL, FND_LESS, FND_GREATER_EQUAL, FND_GREATER}},
                               {{"+", "-"}, {FND_ADD, FND_SUBTRACT}},
                               {{"*", "/"}, {FND_MULTIPLY, FND_DIVIDE}}};
enum { LEVEL_COUNT = sizeof levels / sizeof levels[0], COMPARISON = 2 };

static void parse_level(parser *p, int at)
{
    if (at == LEVEL_COUNT) {
        primary(p);
        return;
    }
    if (at == COMPARISON && take(p, "not")) {
        if (++p->depth > DEPTH_LIMIT)
            fail(p, FENDER_STATUS_VALUE, "the expression is nested too deeply", "64 levels", "split it into outcomes");
        else parse_level(p, at);
        p->depth--;
        emit(p, (fnd_operator){FND_NOT, 0, 0});
        return;
    }
    parse_level(p, at + 1);
    for (bool more = true; more && !p->failed;) {
        more = false;
        for (int i = 0; i < 4 && levels[at].token[i] && !more; i++) {
            if (!take(p, levels[at].token[i])) continue;
            more = true;
            parse_level(p, at + 1);
            emit(p, (fnd_operator){levels[at].code[i], 0, 0});
        }
    }
}

static void parse_or(parser *p) { parse_level(p, 0); }

bool fnd_expression_read(fnd_reader *reader, const fender_study *study, const fnd_node *node, fnd_outcome *outcome)
{
    parser p = {.reader = reader, .study = study, .node = node, .outcomes = (int)(outcome - study->outcomes)};
    if (!fnd_read_text(reader, node, outcome->id.name, &outcome->text)) return false;
    p.at = outcome->text;
    parse_or(&p);
    skip(&p);
    if (*p.at)
        fail(&p, FENDER_STATUS_PARSE, "unexpected text after the expression", "<, <=, >, >=, and, or, +, -, *, /",
             "write units in brackets: 2 [m]");
    if (p.failed) return false;
    outcome->code = fnd_keep(reader, (size_t)p.count, sizeof *outcome->code);
    if (!outcome->code) return false;
    memcpy(outcome->code, p.code, (size_t)p.count * sizeof p.code[0]);
    outcome->count = p.count;
    return true;
}

double fnd_expression_value(const fnd_outcome *outcome, const double *slots)
{
    double stack[CODE_LIMIT + 1];
    int top = -1;
    for (int i = 0; i < outcome->count; i++) {
        const fnd_operator *op = &outcome->code[i];
        if (op->code == FND_NUMBER || op->code == FND_SLOT) {
            stack[++top] = op->code == FND_NUMBER ? op->number : slots[op->slot];
            continue;
        }
        double b = stack[top];
        if (op->code >= FND_MIN) top--;
        double a = stack[top], *to = &stack[top];
        switch (op->code) {
        case FND_NEGATE: *to = -b; break;
        case FND_NOT: *to = isnan(b) ? b : b == 0; break;
        case FND_ABS: *to = fabs(b); break;
        case FND_SQRT: *to = sqrt(b); break;
        case FND_MIN: *to = a < b ? a : b; break;
        case FND_MAX: *to = a > b ? a : b; break;
        case FND_ADD: *to = a + b; break;
        case FND_SUBTRACT: *to = a - b; break;
        case FND_MULTIPLY: *to = a * b; break;
        case FND_DIVIDE: *to = a / b; break;
        case FND_LESS: *to = a < b; break;
        case FND_LESS_EQUAL: *to = a <= b; break;
        case FND_GREATER: *to = a > b; break;
        case FND_GREATER_EQUAL: *to = a >= b; break;
        case FND_AND: *to = a != 0 && b != 0; break;
        default: *to = a != 0 || b != 0; break;
        }
    }
    return stack[0];
}
