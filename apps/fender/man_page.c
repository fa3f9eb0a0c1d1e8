/* Manual pages in the language of man(7), from the table of commands. */
#include <string.h>

#include "info.h"
#include "pages.h"

/* Text of a table in roff: a hyphen that may be typed stays one, and a dot at the start of a line is no request. */
static void put_text(fnd_app_stream *to, const char *text)
{
    bool line_begins = true;
    for (; *text; text++) {
        if (line_begins && *text == '.') fnd_app_put(to, "\\&");
        if (*text == '-') fnd_app_put(to, "\\-");
        else if (*text == '\\') fnd_app_put(to, "\\e");
        else if (*text == '\'') fnd_app_put(to, "\\(aq");
        else if (*text == '`') fnd_app_put(to, "\\(ga");
        else fnd_app_put_bytes(to, text, 1);
        line_begins = *text == '\n';
    }
}

static void put_heading(fnd_app_stream *to, const char *name) { fnd_app_print(to, ".SH %s\n", name); }

/* "FENDER\-RUN" for run, "FENDER" for NULL. */
static void put_title(fnd_app_stream *to, const char *command)
{
    fnd_app_put(to, ".TH FENDER");
    if (command != NULL) {
        fnd_app_put(to, "\\-");
        for (const char *c = command; *c; c++) {
            char upper = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
            fnd_app_put_bytes(to, &upper, 1);
        }
    }
    fnd_app_print(to, " 1 \"\" \"Fender %s\" \"User Commands\"\n", fender_version());
}

/* Prose is filled. Where lines may be kept, those that begin with a command or with spaces are. */
static void put_prose(fnd_app_stream *to, const char *text, bool may_keep)
{
    bool first = true, kept = false;
    while (*text) {
        const char *end = strchr(text, '\n');
        size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        char line[512];
        if (length >= sizeof line) length = sizeof line - 1;
        memcpy(line, text, length);
        line[length] = '\0';
        bool keep = may_keep && (strncmp(line, "fender ", 7) == 0 || line[0] == ' ');
        if (length == 0) {
            fnd_app_put(to, ".PP\n");
        } else {
            if ((keep || kept) && !first) fnd_app_put(to, ".br\n");
            put_text(to, line + strspn(line, " "));
            fnd_app_put(to, "\n");
        }
        kept = keep && length > 0;
        first = false;
        text += length;
        while (*text && *text != '\n') text++;
        if (*text == '\n') text++;
    }
}

static void put_option(fnd_app_stream *to, const fnd_app_option *option)
{
    fnd_app_put(to, ".TP\n\\fB");
    put_text(to, option->name);
    fnd_app_put(to, "\\fR");
    if (option->value != NULL) {
        fnd_app_put(to, " \\fI");
        put_text(to, option->value);
        fnd_app_put(to, "\\fR");
    }
    fnd_app_put(to, "\n");
    put_text(to, option->doc);
    fnd_app_put(to, "\n");
}

static void put_example(fnd_app_stream *to, const char *text)
{
    put_heading(to, "EXAMPLES");
    fnd_app_put(to, ".nf\n");
    while (*text) {
        const char *end = strchr(text, '\n');
        size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        char line[512];
        if (length >= sizeof line) length = sizeof line - 1;
        memcpy(line, text, length);
        line[length] = '\0';
        put_text(to, strncmp(line, "  ", 2) == 0 ? line + 2 : line);
        fnd_app_put(to, "\n");
        text += length;
        while (*text && *text != '\n') text++;
        if (*text == '\n') text++;
    }
    fnd_app_put(to, ".fi\n");
}

static void put_command(fnd_app_stream *to, const fnd_app_command *command)
{
    put_title(to, command->name);
    put_heading(to, "NAME");
    fnd_app_print(to, "fender\\-%s \\- ", command->name);
    put_text(to, command->purpose);
    fnd_app_put(to, "\n");
    put_heading(to, "SYNOPSIS");
    fnd_app_print(to, "\\fBfender %s\\fR", command->name);
    if (command->arguments[0]) {
        fnd_app_put(to, " \\fI");
        put_text(to, command->arguments);
        fnd_app_put(to, "\\fR");
    }
    fnd_app_put(to, " [\\fIOPTIONS\\fR]\n");
    if (command->details[0]) {
        put_heading(to, "DESCRIPTION");
        put_prose(to, command->details, true);
    }
    put_heading(to, "OPTIONS");
    for (int i = 0; i < command->option_count; i++) put_option(to, &command->options[i]);
    for (int i = 0; fnd_app_common_option_at(i) != NULL; i++) put_option(to, fnd_app_common_option_at(i));
    if (command->files[0]) {
        put_heading(to, "FILES WRITTEN");
        put_prose(to, command->files, false);
    }
    put_heading(to, "EXIT STATUS");
    put_text(to, command->verdict ? "0 the same, 1 different, 2 it could not be compared" : fnd_app_exit_codes);
    fnd_app_put(to, "\n");
    put_example(to, command->example);
    put_heading(to, "SEE ALSO");
    fnd_app_print(to, "\\fBfender\\fR(1), and manual/%s.md in the documentation of Fender\n", command->name);
}

static void put_program(fnd_app_stream *to)
{
    put_title(to, NULL);
    put_heading(to, "NAME");
    fnd_app_put(to, "fender \\- ");
    put_text(to, fnd_app_purpose);
    fnd_app_put(to, "\n");
    put_heading(to, "SYNOPSIS");
    fnd_app_put(to, "\\fBfender\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n");
    put_heading(to, "DESCRIPTION");
    fnd_app_put(to, "Simulates rigid bodies that touch, from a scenario in a text file, and estimates the error of the "
                    "results. Each command has a page of its own, \\fBfender\\-\\fICOMMAND\\fR(1).\n");
    const char *group = "";
    for (int i = 0; fnd_app_command_at(i) != NULL; i++) {
        const fnd_app_command *command = fnd_app_command_at(i);
        if (strcmp(group, command->group) != 0) fnd_app_print(to, ".SS %s\n", command->group);
        group = command->group;
        fnd_app_print(to, ".TP\n\\fB%s\\fR", command->name);
        if (command->arguments[0]) {
            fnd_app_put(to, " \\fI");
            put_text(to, command->arguments);
            fnd_app_put(to, "\\fR");
        }
        fnd_app_put(to, "\n");
        put_text(to, command->summary);
        if (command->put_more != NULL) command->put_more(to);
        fnd_app_put(to, "\n");
    }
    put_heading(to, "OPTIONS");
    fnd_app_put(to,
                "Every command has these options; \\fBfender\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR lists its own.\n");
    for (int i = 0; fnd_app_common_option_at(i) != NULL; i++) put_option(to, fnd_app_common_option_at(i));
    put_heading(to, "EXIT STATUS");
    put_text(to, fnd_app_exit_codes);
    fnd_app_put(to, "\n");
    put_example(to, fnd_app_example);
    put_heading(to, "SEE ALSO");
    for (int i = 0; fnd_app_command_at(i) != NULL; i++)
        fnd_app_print(to, "\\fBfender\\-%s\\fR(1)%s\n", fnd_app_command_at(i)->name,
                      fnd_app_command_at(i + 1) != NULL ? "," : "");
}

int fnd_app_info_man(fnd_app *app, const char *name)
{
    if (name == NULL) {
        fnd_app_put(&app->out, "fender\n");
        for (int i = 0; fnd_app_command_at(i) != NULL; i++)
            fnd_app_print(&app->out, "%s\n", fnd_app_command_at(i)->name);
        return FND_APP_OK;
    }
    if (strcmp(name, "fender") == 0) {
        put_program(&app->out);
        return FND_APP_OK;
    }
    fnd_nearest search = fnd_nearest_begin(name, strlen(name));
    for (int i = 0; fnd_app_command_at(i) != NULL; i++) {
        const fnd_app_command *command = fnd_app_command_at(i);
        fnd_nearest_offer(&search, command->name);
        if (strcmp(command->name, name) != 0) continue;
        put_command(&app->out, command);
        return FND_APP_OK;
    }
    return fnd_app_info_unknown(app, "command", name, &search, "fender info man");
}
