/* Completion for bash and zsh, from the table of commands: `fender info completion bash`. */
#include <fender/law.h>
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "pages.h"
#include "starters.h"

/* What can stand in a place of a command line. */
typedef enum word_kind {
    WORD_FREE,    /* a number, a name: nothing to offer */
    WORD_CHOICES, /* one of the words that put_choices writes */
    WORD_FILES,   /* files with one of some endings; any file if there are none */
    WORD_FOLDERS,
    WORD_PATHS,   /* of values in the scenario on the command line */
    WORD_CHANNELS /* of the run on the command line */
} word_kind;

enum { ENDINGS_MOST = 8 };
typedef struct word_type {
    word_kind kind;
    const char *choices;               /* words separated by |; NULL: those of `list` */
    const char *endings[ENDINGS_MOST]; /* NULL ends them */
    const char *(*list)(int index, char *text, size_t size);
} word_type;

/* ---- lists of the program; NULL past the end */

static const char *integrator_at(int index, char *text, size_t size)
{
    int found = 0;
    (void)text;
    (void)size;
    for (int i = 0; i <= FENDER_INTEGRATOR_CVODE_BDF; i++) {
        const char *name = fender_integrator_name((fender_integrator_method)i);
        if (name != NULL && found++ == index) return name; /* NULL: not in this build */
    }
    return NULL;
}

static const char *topic_at(int index, char *text, size_t size)
{
    (void)text;
    (void)size;
    return fnd_app_info_topic_at(index);
}

static const char *starter_at(int index, char *text, size_t size)
{
    (void)text;
    (void)size;
    return fnd_app_starters[index].name;
}

/* The word after "fender study" in the lines of its help. */
static const char *study_action_at(int index, char *text, size_t size)
{
    const char *at = fnd_app_command_study.details, *begin = "fender study ";
    for (int found = 0; (at = strstr(at, begin)) != NULL; found++) {
        at += strlen(begin);
        if (found < index) continue;
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
        if (length >= size) length = size - 1;
        memcpy(text, at, length);
        text[length] = '\0';
        return text;
    }
    return NULL;
}

/* Names that follow a topic of `fender info`. */
static const char *named_topic_at(int index, char *text, size_t size)
{
    (void)text;
    (void)size;
    const fender_law *law = fender_law_at(NULL, index);
    return law != NULL ? law->name : NULL;
}

/* The type of a word by what the help calls it. */
static word_type type_of(const fnd_app_command *command, const char *word)
{
    static const word_type none = {WORD_FREE, NULL, {NULL}, NULL};
    word_type type = none;
    const char *bar = strchr(word, '|');
    if (bar != NULL && word[0] >= 'A' && word[0] <= 'Z') { /* "RUN|SCENARIO": files of one or the other */
        char one[24];
        const size_t length = (size_t)(bar - word) < sizeof one ? (size_t)(bar - word) : sizeof one - 1;
        memcpy(one, word, length);
        one[length] = '\0';
        if (strncmp(one, "FILE", 4) == 0) one[4] = '\0'; /* its ending would not outlive this call */
        const word_type first = type_of(command, one), rest = type_of(command, bar + 1);
        int count = 0;
        type.kind = WORD_FILES;
        for (int i = 0; i < ENDINGS_MOST && first.endings[i] != NULL; i++) type.endings[count++] = first.endings[i];
        for (int i = 0; count < ENDINGS_MOST && rest.endings[i] != NULL; i++) type.endings[count++] = rest.endings[i];
    } else if (bar != NULL) {
        type.kind = WORD_CHOICES;
        type.choices = word;
    } else if (strcmp(word, "SCENARIO") == 0) {
        type.kind = WORD_FILES;
        type.endings[0] = ".yaml";
        type.endings[1] = ".yml";
        type.endings[2] = ".pcm";
    } else if (strncmp(word, "FILE", 4) == 0) {
        type.kind = WORD_FILES;
        if (word[4] == '.' && word[5] != '\0') type.endings[0] = word + 4;
    } else if (strcmp(word, "RUN") == 0 || ((strcmp(word, "A") == 0 || strcmp(word, "B") == 0) && command->verdict)) {
        type.kind = WORD_FILES; /* a run directory, or one table */
        type.endings[0] = ".csv";
        type.endings[1] = ".trk";
        type.endings[2] = ".h5";
    } else if (strcmp(word, "DIR") == 0 || strcmp(word, "FOLDER") == 0) {
        type.kind = WORD_FOLDERS;
    } else if (strcmp(word, "PATH=VALUE") == 0) {
        type.kind = WORD_PATHS;
    } else if (strcmp(word, "CHANNEL") == 0 || strcmp(word, "PATTERN") == 0) {
        type.kind = WORD_CHANNELS;
    } else {
        if (strcmp(word, "METHOD") == 0) type.list = integrator_at;
        if (strcmp(word, "TOPIC") == 0) type.list = topic_at;
        if (strcmp(word, "ACTION") == 0) type.list = study_action_at;
        if (strcmp(word, "NAME") == 0 && command == &fnd_app_command_new) type.list = starter_at;
        if (strcmp(word, "NAME") == 0 && command == &fnd_app_command_info) type.list = named_topic_at;
        if (type.list != NULL) type.kind = WORD_CHOICES;
    }
    return type;
}

static void put_choices(fnd_app_stream *to, const word_type *type)
{
    char text[64];
    for (const char *c = type->choices; c != NULL && *c; c++) fnd_app_put_bytes(to, *c == '|' ? " " : c, 1);
    for (int i = 0; type->list != NULL; i++) {
        const char *word = type->list(i, text, sizeof text);
        if (word == NULL) break;
        fnd_app_print(to, "%s%s", i > 0 ? " " : "", word);
    }
}

/* One word of `arguments` without brackets and dots. */
typedef struct argument {
    char word[24];
    bool repeated; /* the last one, with dots behind it */
} argument;
enum { ARGUMENTS_MOST = 4 };

/* Splits the arguments of a command ("RUN CHANNEL..." is RUN and, repeated, CHANNEL). Returns their number. */
static int split_arguments(const fnd_app_command *command, argument words[ARGUMENTS_MOST])
{
    int count = 0;
    const char *at = command->arguments;
    while (count < ARGUMENTS_MOST) {
        at += strspn(at, " []");
        size_t length = strcspn(at, " []");
        if (length == 0) break;
        argument *one = &words[count++];
        const char *dots = strstr(at, "..");
        one->repeated = dots != NULL && dots < at + length;
        size_t name = one->repeated ? (size_t)(dots - at) : length;
        if (name >= sizeof one->word) name = sizeof one->word - 1;
        memcpy(one->word, at, name);
        one->word[name] = '\0';
        at += length;
    }
    return count;
}

/* ---- bash */

static void put_bash_type(fnd_app_stream *to, const word_type *type)
{
    switch (type->kind) {
    case WORD_CHOICES:
        fnd_app_put(to, "_fender_words '");
        put_choices(to, type);
        fnd_app_put(to, "'");
        break;
    case WORD_FILES:
        fnd_app_put(to, "_fender_files");
        if (type->endings[0] == NULL) fnd_app_put(to, " ''");
        for (int i = 0; i < ENDINGS_MOST && type->endings[i] != NULL; i++) fnd_app_print(to, " %s", type->endings[i]);
        break;
    case WORD_FOLDERS: fnd_app_put(to, "_fender_files"); break;
    case WORD_PATHS: fnd_app_put(to, "_fender_paths"); break;
    case WORD_CHANNELS: fnd_app_put(to, "_fender_channels"); break;
    case WORD_FREE: fnd_app_put(to, ":"); break;
    }
}

static const char bash_begin[] =
    "# bash completion for fender. Made by `fender info completion bash`.\n"
    "_fender_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$cur\")); }\n"
    "# Folders, and files with these endings.\n"
    "_fender_files()\n"
    "{\n"
    "    local IFS=$'\\n' ending\n"
    "    COMPREPLY=($(compgen -d -- \"$cur\"))\n"
    "    for ending; do COMPREPLY+=($(compgen -f -X \"!*$ending\" -- \"$cur\")); done\n"
    "    COMPREPLY=($(printf '%s\\n' \"${COMPREPLY[@]}\" | sort -u))\n"
    "    compopt -o filenames 2>/dev/null\n"
    "}\n"
    "# Keys of the scenario that stands on the line, as paths.\n"
    "_fender_paths()\n"
    "{\n"
    "    local file=\n"
    "    for word in \"${COMP_WORDS[@]:2}\"; do [[ -f $word ]] && file=$word; done\n"
    "    [[ $file ]] && COMPREPLY=($(compgen -W \"$(_fender_keys \"$file\")\" -- \"$cur\"))\n"
    "    compopt -o nospace 2>/dev/null\n"
    "}\n"
    "# Channels of the run that stands on the line.\n"
    "_fender_channels()\n"
    "{\n"
    "    COMPREPLY=($(compgen -W \"$(_fender_recorded \"${COMP_WORDS[0]}\" \"${COMP_WORDS[2]}\")\" -- \"$cur\"))\n"
    "}\n";

/* For both shells: what they ask a scenario and a run. */
static const char shared[] = "_fender_keys()\n"
                             "{\n"
                             "    awk '/^ *[A-Za-z_][A-Za-z0-9_]*:/ {\n"
                             "        match($0, /^ */); deep = RLENGTH\n"
                             "        key = substr($0, deep + 1); sub(/:.*/, \"\", key)\n"
                             "        while (n > 0 && at[n] >= deep) n--\n"
                             "        path = (n > 0 ? name[n] \".\" : \"\") key\n"
                             "        n++; at[n] = deep; name[n] = path\n"
                             "        print path \"=\"\n"
                             "    }' \"$1\" 2>/dev/null\n"
                             "}\n"
                             "_fender_recorded() { \"$1\" plot \"$2\" --quiet 2>/dev/null | awk '{ print $1 }'; }\n";

static void put_bash_command(fnd_app_stream *to, const fnd_app_command *command)
{
    fnd_app_print(to, "    %s)\n        options='", command->name);
    for (int i = 0; i < command->option_count; i++) fnd_app_print(to, "%s ", command->options[i].name);
    for (int i = 0; fnd_app_common_option_at(i) != NULL; i++)
        fnd_app_print(to, "%s%s", i > 0 ? " " : "", fnd_app_common_option_at(i)->name);
    fnd_app_put(to, "'\n        valued='");
    for (int i = 0; i < command->option_count; i++)
        if (command->options[i].value != NULL) fnd_app_print(to, " %s", command->options[i].name);
    fnd_app_put(to, " '\n");
    fnd_app_put(to, "        case $1 in\n");
    for (int i = 0; i < command->option_count; i++) {
        if (command->options[i].value == NULL) continue;
        word_type type = type_of(command, command->options[i].value);
        fnd_app_print(to, "        %s) ", command->options[i].name);
        put_bash_type(to, &type);
        fnd_app_put(to, " ;;\n");
    }
    argument words[ARGUMENTS_MOST];
    int count = split_arguments(command, words);
    for (int i = 0; i < count; i++) {
        word_type type = type_of(command, words[i].word);
        fnd_app_print(to, "        %d%s) ", i, words[i].repeated ? " | [0-9]*" : "");
        put_bash_type(to, &type);
        fnd_app_put(to, " ;;\n");
    }
    fnd_app_put(to, "        esac\n        ;;\n");
}

static const char bash_end[] =
    "_fender()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
    "    local options= valued= word i count=0\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD < 2)); then\n"
    "        _fender_words \"$_fender_commands --help --version\"\n"
    "        return\n"
    "    fi\n"
    "    if [[ $command == help ]]; then\n"
    "        _fender_words \"$_fender_commands\"\n"
    "        return\n"
    "    fi\n"
    "    # Readline splits --option=value at the sign.\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=\n"
    "    elif [[ $option == = ]]; then\n"
    "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "        [[ $option == -* ]] || return\n"
    "    fi\n"
    "    _fender_command ''\n"
    "    if [[ $valued == *\" $option \"* ]]; then\n"
    "        _fender_command \"$option\"\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        _fender_words \"$options\"\n"
    "    else\n"
    "        for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "            word=${COMP_WORDS[i]}\n"
    "            if [[ $valued == *\" $word \"* ]]; then\n"
    "                [[ ${COMP_WORDS[i + 1]} == = ]] && ((i++))\n"
    "                ((i++))\n"
    "            elif [[ $word == = ]]; then\n"
    "                ((i++))\n"
    "            elif [[ $word != -* ]]; then\n"
    "                ((count++))\n"
    "            fi\n"
    "        done\n"
    "        _fender_command \"$count\"\n"
    "    fi\n"
    "}\n"
    "complete -F _fender fender\n";

static void put_bash(fnd_app_stream *to)
{
    fnd_app_put(to, bash_begin);
    fnd_app_put(to, shared);
    fnd_app_put(to, "_fender_commands='");
    for (int i = 0; fnd_app_command_at(i) != NULL; i++) fnd_app_print(to, "%s ", fnd_app_command_at(i)->name);
    fnd_app_put(to, "help'\n"
                    "# Completes the value of an option, or the argument of that number; sets `options` and `valued`.\n"
                    "_fender_command()\n{\n    case $command in\n");
    for (int i = 0; fnd_app_command_at(i) != NULL; i++) put_bash_command(to, fnd_app_command_at(i));
    fnd_app_put(to, "    esac\n}\n");
    fnd_app_put(to, bash_end);
}

/* ---- zsh */

/* Text within single quotes; brackets and colons have a meaning for _arguments and _describe. */
static void put_zsh_text(fnd_app_stream *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'') fnd_app_put(to, "'\\''");
        else if (strchr("[]:\\", *text) != NULL) fnd_app_print(to, "\\%c", *text);
        else fnd_app_put_bytes(to, text, 1);
    }
}

static void put_zsh_type(fnd_app_stream *to, const word_type *type)
{
    switch (type->kind) {
    case WORD_CHOICES:
        fnd_app_put(to, "(");
        put_choices(to, type);
        fnd_app_put(to, ")");
        break;
    case WORD_FILES:
        fnd_app_put(to, "_files");
        for (int i = 0; i < ENDINGS_MOST && type->endings[i] != NULL; i++)
            fnd_app_print(to, "%s%s", i > 0 ? "|" : " -g \"*.(", type->endings[i] + 1);
        if (type->endings[0] != NULL) fnd_app_put(to, ")\"");
        break;
    case WORD_FOLDERS: fnd_app_put(to, "_files -/"); break;
    case WORD_PATHS: fnd_app_put(to, "_fender_paths"); break;
    case WORD_CHANNELS: fnd_app_put(to, "_fender_channels"); break;
    case WORD_FREE: fnd_app_put(to, " "); break;
    }
}

static void put_zsh_option(fnd_app_stream *to, const fnd_app_command *command, const fnd_app_option *option)
{
    fnd_app_print(to, " \\\n            '*%s%s[", option->name,
                  option->value != NULL && option->name[1] == '-' ? "=" : "");
    put_zsh_text(to, option->doc);
    fnd_app_put(to, "]");
    if (option->value != NULL) {
        word_type type = type_of(command, option->value);
        fnd_app_put(to, ":");
        put_zsh_text(to, type.choices != NULL ? option->name + 2 : option->value);
        fnd_app_put(to, ":");
        put_zsh_type(to, &type);
    }
    fnd_app_put(to, "'");
}

static void put_zsh(fnd_app_stream *to)
{
    fnd_app_put(to, "#compdef fender\n# zsh completion for fender. Made by `fender info completion zsh`.\n");
    fnd_app_put(to, shared);
    fnd_app_put(to, "_fender_paths()\n{\n"
                    "    local word file=\n"
                    "    for word in $words[2,-1]; do [[ -f $word ]] && file=$word; done\n"
                    "    [[ -n $file ]] && compadd -S '' -- ${(f)\"$(_fender_keys $file)\"}\n}\n"
                    "_fender_channels() { compadd -- ${(f)\"$(_fender_recorded fender $words[2])\"}; }\n"
                    "_fender()\n{\n    local -a commands\n    commands=(\n");
    for (int i = 0; fnd_app_command_at(i) != NULL; i++) {
        fnd_app_print(to, "        '%s:", fnd_app_command_at(i)->name);
        put_zsh_text(to, fnd_app_command_at(i)->purpose);
        fnd_app_put(to, "'\n");
    }
    fnd_app_put(to, "    )\n"
                    "    if ((CURRENT == 2)); then\n"
                    "        _describe -t commands 'command of fender' commands\n"
                    "        return\n"
                    "    fi\n"
                    "    shift words\n"
                    "    ((CURRENT--))\n"
                    "    case $words[1] in\n");
    for (int i = 0; fnd_app_command_at(i) != NULL; i++) {
        const fnd_app_command *command = fnd_app_command_at(i);
        argument words[ARGUMENTS_MOST];
        int count = split_arguments(command, words);
        fnd_app_print(to, "    %s)\n        _arguments", command->name);
        for (int k = 0; k < command->option_count; k++) put_zsh_option(to, command, &command->options[k]);
        for (int k = 0; fnd_app_common_option_at(k) != NULL; k++)
            put_zsh_option(to, command, fnd_app_common_option_at(k));
        for (int k = 0; k < count; k++) {
            word_type type = type_of(command, words[k].word);
            if (words[k].repeated) fnd_app_print(to, " \\\n            '*:%s:", words[k].word);
            else
                fnd_app_print(to, " \\\n            '%d:%s%s:", k + 1, k >= command->least_arguments ? ":" : "",
                              words[k].word);
            put_zsh_type(to, &type);
            fnd_app_put(to, "'");
        }
        fnd_app_put(to, "\n        ;;\n");
    }
    fnd_app_put(to, "    help) _describe -t commands 'command of fender' commands ;;\n    esac\n}\n"
                    "if [[ $funcstack[1] == _fender ]]; then _fender \"$@\"; else compdef _fender fender; fi\n");
}

int fnd_app_info_completion(fnd_app *app, const char *name)
{
    static const struct {
        const char *name;
        void (*put)(fnd_app_stream *to);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}};
    fnd_nearest search = fnd_nearest_begin(name != NULL ? name : "", name != NULL ? strlen(name) : 0);
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        if (name == NULL) {
            fnd_app_print(&app->out, "%s\n", shells[i].name);
        } else {
            fnd_nearest_offer(&search, shells[i].name);
            if (strcmp(shells[i].name, name) != 0) continue;
            shells[i].put(&app->out);
            return FND_APP_OK;
        }
    }
    return name == NULL ? FND_APP_OK
                        : fnd_app_info_unknown(app, "shell with completion", name, &search, "fender info completion");
}
