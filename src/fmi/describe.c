/* modelDescription.xml: attributes as FMI 2.0.4 and FMI 3.0 define them. */
#include "fmi/describe.h"

#include <string.h>

void fnd_fmi_append_escaped(fnd_buffer *to, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '<') fnd_buffer_append_text(to, "&lt;");
        else if (c == '>') fnd_buffer_append_text(to, "&gt;");
        else if (c == '&') fnd_buffer_append_text(to, "&amp;");
        else if (c == '"') fnd_buffer_append_text(to, "&quot;");
        else fnd_buffer_append_char(to, c < 0x20 || c == 0x7F ? ' ' : (char)c);
    }
}

static void attribute(fnd_buffer *to, const char *name, const char *value)
{
    fnd_buffer_appendf(to, " %s=\"", name);
    fnd_fmi_append_escaped(to, value);
    fnd_buffer_append_char(to, '"');
}

static void number(fnd_buffer *to, const char *name, double value)
{
    fnd_buffer_appendf(to, " %s=\"", name);
    fnd_buffer_append_number(to, value);
    fnd_buffer_append_char(to, '"');
}

/* Variables that this version describes: model exchange is offered by 3.0 alone. */
static int variable_count(const fnd_fmi_description *d)
{
    return d->version == 3 ? d->model->count : d->model->first[FND_FMI_STATE];
}

/* ---- head */

static void append_head(fnd_buffer *to, const fnd_fmi_description *d)
{
    fnd_buffer_append_text(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    attribute(to, "fmiVersion", d->version == 3 ? "3.0" : "2.0");
    attribute(to, "modelName", d->title[0] ? d->title : d->identifier);
    attribute(to, d->version == 3 ? "instantiationToken" : "guid", d->token);
    if (d->about[0]) attribute(to, "description", d->about);
    fnd_buffer_appendf(to, " generationTool=\"Fender %s\" variableNamingConvention=\"flat\"", fender_version());
    if (d->version == 2) attribute(to, "numberOfEventIndicators", "0");
    fnd_buffer_append_text(to, ">\n");
    if (d->version == 2) {
        fnd_buffer_append_text(to, "  <CoSimulation");
        attribute(to, "modelIdentifier", d->identifier);
        fnd_buffer_append_text(to, " canHandleVariableCommunicationStepSize=\"true\" canInterpolateInputs=\"false\""
                                   " maxOutputDerivativeOrder=\"0\" canRunAsynchronuously=\"false\""
                                   " canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\""
                                   " canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"false\"/>\n");
        return;
    }
    if (d->model->exchange) {
        fnd_buffer_append_text(to, "  <ModelExchange");
        attribute(to, "modelIdentifier", d->identifier);
        fnd_buffer_append_text(to, " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\""
                                   " needsCompletedIntegratorStep=\"true\"/>\n");
    }
    fnd_buffer_append_text(to, "  <CoSimulation");
    attribute(to, "modelIdentifier", d->identifier);
    fnd_buffer_append_text(to, " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\""
                               " canHandleVariableCommunicationStepSize=\"true\"");
    if (!d->adaptive) number(to, "fixedInternalStepSize", d->step);
    fnd_buffer_append_text(to, " mightReturnEarlyFromDoStep=\"true\" hasEventMode=\"true\"/>\n");
}

/* ---- units */

static bool is_first_with_unit(const fnd_fmi_description *d, int index)
{
    const char *unit = d->model->variables[index].unit;
    for (int i = 0; i < index; i++)
        if (strcmp(d->model->variables[i].unit, unit) == 0) return false;
    return unit[0] != '\0';
}

static void append_units(fnd_buffer *to, const fnd_fmi_description *d)
{
    static const char *const names[6] = {"kg", "m", "s", "A", "K", "rad"};
    fnd_buffer_append_text(to, "  <UnitDefinitions>\n"); /* the time has one in any case */
    for (int i = 0; i < variable_count(d); i++) {
        int exponents[6];
        if (!is_first_with_unit(d, i) || !fnd_fmi_unit_exponents(d->model->variables[i].unit, exponents)) continue;
        fnd_buffer_append_text(to, "    <Unit");
        attribute(to, "name", d->model->variables[i].unit);
        fnd_buffer_append_text(to, "><BaseUnit");
        for (int k = 0; k < 6; k++)
            if (exponents[k] != 0) fnd_buffer_appendf(to, " %s=\"%d\"", names[k], exponents[k]);
        fnd_buffer_append_text(to, "/></Unit>\n");
    }
    fnd_buffer_append_text(to, "  </UnitDefinitions>\n");
}

static void append_experiment(fnd_buffer *to, const fnd_fmi_description *d)
{
    fnd_buffer_append_text(to,
                           "  <LogCategories>\n"
                           "    <Category name=\"logStatusError\" description=\"Refused calls and failed steps\"/>\n"
                           "    <Category name=\"logStatusWarning\" description=\"Verdicts on the energy\"/>\n"
                           "    <Category name=\"logEvents\" description=\"Events of contacts and links\"/>\n"
                           "  </LogCategories>\n  <DefaultExperiment");
    number(to, "startTime", d->start_time);
    number(to, "stopTime", d->stop_time);
    number(to, "stepSize", d->step);
    fnd_buffer_append_text(to, "/>\n");
}

/* ---- variables */

static const char *const causalities[FND_FMI_ROLE_COUNT] = {"independent", "parameter", "input", "output",
                                                            "local",       "local",     "local"};

static void append_variable_2(fnd_buffer *to, const fnd_fmi_variable *v, int reference)
{
    fnd_buffer_append_text(to, "    <ScalarVariable");
    attribute(to, "name", v->name);
    fnd_buffer_appendf(to, " valueReference=\"%d\"", reference);
    if (v->doc[0]) attribute(to, "description", v->doc);
    attribute(to, "causality", causalities[v->role]);
    attribute(to, "variability", v->role == FND_FMI_PARAMETER ? "fixed" : "continuous");
    if (v->role == FND_FMI_PARAMETER) attribute(to, "initial", "exact");
    if (v->role == FND_FMI_OUTPUT) attribute(to, "initial", "calculated");
    fnd_buffer_append_text(to, "><Real");
    if (v->unit[0]) attribute(to, "unit", v->unit);
    if (v->role == FND_FMI_PARAMETER || v->role == FND_FMI_INPUT) number(to, "start", v->start);
    fnd_buffer_append_text(to, "/></ScalarVariable>\n");
}

static void append_variable_3(fnd_buffer *to, const fnd_fmi_model *model, int reference)
{
    const fnd_fmi_variable *v = &model->variables[reference];
    fnd_buffer_append_text(to, "    <Float64");
    attribute(to, "name", v->name);
    fnd_buffer_appendf(to, " valueReference=\"%d\"", reference);
    if (v->doc[0]) attribute(to, "description", v->doc);
    attribute(to, "causality", causalities[v->role]);
    attribute(to, "variability", v->role == FND_FMI_PARAMETER ? "fixed" : "continuous");
    if (v->role == FND_FMI_PARAMETER) attribute(to, "initial", "exact");
    if (v->role >= FND_FMI_OUTPUT) attribute(to, "initial", "calculated");
    if (v->unit[0]) attribute(to, "unit", v->unit);
    if (v->role == FND_FMI_DERIVATIVE)
        fnd_buffer_appendf(to, " derivative=\"%d\"",
                           reference - model->first[FND_FMI_DERIVATIVE] + model->first[FND_FMI_STATE]);
    if (v->role == FND_FMI_PARAMETER || v->role == FND_FMI_INPUT) number(to, "start", v->start);
    fnd_buffer_append_text(to, "/>\n");
}

/* ---- structure */

static void append_references(fnd_buffer *to, const fnd_fmi_model *model, fnd_fmi_role role, const char *element)
{
    for (int i = model->first[role]; i < model->first[role + 1]; i++)
        fnd_buffer_appendf(to, "    <%s valueReference=\"%d\"/>\n", element, i);
}

static void append_list_2(fnd_buffer *to, const fnd_fmi_model *model, const char *list)
{
    if (fnd_fmi_count(model, FND_FMI_OUTPUT) == 0) return;
    fnd_buffer_appendf(to, "    <%s>\n", list);
    for (int i = model->first[FND_FMI_OUTPUT]; i < model->first[FND_FMI_STATE]; i++)
        fnd_buffer_appendf(to, "      <Unknown index=\"%d\"/>\n", i + 1);
    fnd_buffer_appendf(to, "    </%s>\n", list);
}

static void append_structure(fnd_buffer *to, const fnd_fmi_description *d)
{
    const fnd_fmi_model *model = d->model;
    fnd_buffer_append_text(to, "  <ModelStructure>\n");
    if (d->version == 2) {
        append_list_2(to, model, "Outputs");
        append_list_2(to, model, "InitialUnknowns");
    } else {
        append_references(to, model, FND_FMI_OUTPUT, "Output");
        append_references(to, model, FND_FMI_DERIVATIVE, "ContinuousStateDerivative");
        append_references(to, model, FND_FMI_OUTPUT, "InitialUnknown");
        append_references(to, model, FND_FMI_STATE, "InitialUnknown");
        append_references(to, model, FND_FMI_DERIVATIVE, "InitialUnknown");
        append_references(to, model, FND_FMI_INDICATOR, "EventIndicator");
    }
    fnd_buffer_append_text(to, "  </ModelStructure>\n</fmiModelDescription>\n");
}

void fnd_fmi_describe(fnd_buffer *to, const fnd_fmi_description *d)
{
    append_head(to, d);
    append_units(to, d);
    append_experiment(to, d);
    fnd_buffer_append_text(to, "  <ModelVariables>\n");
    for (int i = 0; i < variable_count(d); i++) {
        if (d->version == 2) append_variable_2(to, &d->model->variables[i], i);
        else append_variable_3(to, d->model, i);
    }
    fnd_buffer_append_text(to, "  </ModelVariables>\n");
    append_structure(to, d);
}
