/* Models that are refused: where, and in what words. */
#include "model_test.h"

#define LINK  "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
#define ROBOT "<robot name='r'>\n<link name='a'>" LINK "</link>\n<link name='b'>" LINK "</link>\n"
#define JOINT "<joint name='j' type='fixed'>\n<parent link='a'/><child link='b'/></joint>\n"
#define WORLD "<mujoco>\n<worldbody>\n<body name='a'>\n"
#define END   "</body>\n</worldbody>\n</mujoco>\n"

/* The first diagnostic. Texts must be contained in what is reported; "" asks for an empty one. */
static const struct bad_model {
    const char *name, *text;
    int line, column;
    fender_status status;
    const char *message, *found, *expected, *remedy;
} cases[] = {
    {"empty", " ", 1, 2, FENDER_STATUS_PARSE, "not XML: no element found", "the end of the line", "well-formed XML",
     "one root element"},
    {"no root element", "<!-- nothing -->\n", 2, 1, FENDER_STATUS_PARSE, "not XML: no element found", "", "well-formed",
     "one root element"},
    {"cut off", "<robot name='r'>\n<link name='a'>", 2, 16, FENDER_STATUS_PARSE, "not XML: no element found",
     "the end of the line", "well-formed XML", "<link> of line 2 is not closed"},
    {"tags crossed", "<robot name='r'>\n<link name='a'>\n</robot>\n", 3, 3, FENDER_STATUS_PARSE,
     "not XML: mismatched tag", "robot>", "</link>", "close <link> of line 2 first"},
    {"no quotes", "<robot name=r>\n</robot>\n", 1, 13, FENDER_STATUS_PARSE, "not XML: not well-formed", "r>",
     "well-formed XML", "check quotes"},
    {"an attribute twice", "<robot name='r'>\n<link name='a'\n name='b'/>\n</robot>\n", 3, 2, FENDER_STATUS_PARSE,
     "not XML: duplicate attribute", "name='b'", "well-formed XML", "remove one of the two"},
    {"entities", "<!DOCTYPE r [<!ENTITY a 'x'>]>\n<robot name='&a;'/>\n", 1, 1, FENDER_STATUS_PARSE,
     "document type declarations and entities are not read", "r", "elements without <!DOCTYPE ..>",
     "write values where entities stand"},
    {"external entity", "<!DOCTYPE r SYSTEM 'file:///etc/passwd'>\n<robot name='r'/>\n", 1, 1, FENDER_STATUS_PARSE,
     "document type declarations and entities are not read", "r", "<!DOCTYPE ..>", "remove the declaration"},
    {"unknown entity", "<robot name='a&nbsp;b'/>\n", 1, 15, FENDER_STATUS_PARSE, "not XML: undefined entity", "&nbsp;b",
     "&amp;", "write the character itself"},
    {"encoding", "<?xml version='1.0' encoding='ISO-8859-1'?>\n<robot name='r'/>\n", 1, 1, FENDER_STATUS_PARSE,
     "the encoding is not read", "ISO-8859-1", "UTF-8", "iconv"},
    {"not UTF-8", "<robot name='\xff'/>\n", 1, 14, FENDER_STATUS_PARSE, "not XML: not well-formed", "\\xFF",
     "well-formed XML", "check quotes"},
    {"another root", "<sdf version='1.6'/>\n", 1, 2, FENDER_STATUS_PARSE, "the file is neither URDF nor MJCF", "<sdf>",
     "<robot> or <mujoco>", "SDF is not read"},

    {"no name of the robot", "<robot>\n<link name='a'>" LINK "</link></robot>\n", 1, 2, FENDER_STATUS_PARSE,
     "<robot> needs 'name'", "nothing", "name=\"..\"", ""},
    {"no links", "<robot name='r'/>\n", 1, 2, FENDER_STATUS_PARSE, "the robot has no links", "none", "<link", ""},
    {"unknown element", ROBOT "<lnk name='c'/>\n" JOINT "</robot>\n", 4, 2, FENDER_STATUS_NAME,
     "<lnk> is not known in <robot>", "lnk", "link, joint, material", "did you mean <link>?"},
    {"unknown attribute", "<robot name='r'>\n<link name='a' kind='x'>" LINK "</link></robot>\n", 2, 16,
     FENDER_STATUS_NAME, "<link> has no attribute 'kind'", "kind", "an attribute that the format has", "--lenient"},
    {"text", "<robot name='r'>\n<link name='a'>" LINK " heavy </link></robot>\n", 2, 113, FENDER_STATUS_NAME,
     "<link> holds text", "text between tags", "elements and attributes", "remove the text"},
    {"xacro", "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'>\n<xacro:macro name='m'/></robot>\n", 2, 2,
     FENDER_STATUS_NAME, "this is a xacro file, not URDF", "xacro:macro", "plain URDF", "run xacro first"},
    {"two links of one name", ROBOT "<link name='a'/>\n</robot>\n", 4, 13, FENDER_STATUS_NAME,
     "two links have this name", "a", "a name of its own", "the other is in line 2"},
    {"no such link", ROBOT "<joint name='j' type='fixed'>\n<parent link='a'/>\n<child link='bb'/></joint></robot>\n", 6,
     14, FENDER_STATUS_NAME, "no link is named 'bb'", "bb", "the name of a link", "did you mean 'b'?"},
    {"no child", ROBOT "<joint name='j' type='fixed'><parent link='a'/></joint></robot>\n", 4, 2, FENDER_STATUS_PARSE,
     "<joint> needs <child>", "nothing", "<child link=\"..\"/>", ""},
    {"joint type", ROBOT "<joint name='j' type='revolut'><parent link='a'/><child link='b'/></joint></robot>\n", 4, 23,
     FENDER_STATUS_NAME, "'revolut' is not a word of 'type'", "revolut", "fixed, revolute", "did you mean 'revolute'?"},
    {"not connected", ROBOT "</robot>\n", 3, 2, FENDER_STATUS_NAME, "link 'b' is not connected to the others",
     "two roots: 'a' and 'b'", "one tree of links", "add a joint"},
    {"ring", ROBOT JOINT "<joint name='k' type='fixed'>\n<parent link='b'/><child link='a'/></joint></robot>\n", 2, 2,
     FENDER_STATUS_NAME, "the joints form a ring", "a", "a tree of links", "remove a joint"},
    {"two parents", ROBOT JOINT "<joint name='k' type='fixed'>\n<parent link='a'/><child link='b'/></joint></robot>\n",
     6, 2, FENDER_STATUS_NAME, "link 'b' is the child of two joints", "k", "one parent for each link",
     "the other is in line 4"},
    {"no radius",
     "<robot name='r'>\n<link name='a'>" LINK
     "\n<collision><geometry>\n<sphere radius='x'/></geometry></collision></link>"
     "</robot>\n",
     4, 17, FENDER_STATUS_PARSE, "'radius' is not a number", "x", "finite decimal numbers",
     "write numbers without units"},
    {"radius with a unit",
     "<robot name='r'>\n<link name='a'>" LINK "\n<collision><geometry>\n<sphere radius='5cm'/></geometry></collision>"
     "</link></robot>\n",
     4, 17, FENDER_STATUS_PARSE, "'radius' is not a number", "5cm", "finite decimal numbers", "without units"},
    {"infinite length",
     "<robot name='r'>\n<link name='a'>" LINK "\n<collision><geometry>\n<box size='1 inf 1'/></geometry></collision>"
     "</link></robot>\n",
     4, 14, FENDER_STATUS_PARSE, "'size' is not a list of numbers", "inf", "finite decimal numbers", "without units"},
    {"negative length",
     "<robot name='r'>\n<link name='a'>" LINK "\n<collision><geometry>\n<box size='1 -1 1'/></geometry></collision>"
     "</link></robot>\n",
     4, 12, FENDER_STATUS_VALUE, "a box has three lengths above 0", "1 -1 1", "more than 0 m", ""},
    {"two numbers for three",
     ROBOT "<joint name='j' type='fixed'><parent link='a'/><child link='b'/>\n"
           "<origin xyz='1 2'/></joint></robot>\n",
     5, 14, FENDER_STATUS_PARSE, "'xyz' has the wrong length", "2 numbers", "3 numbers", ""},
    {"decimal comma",
     ROBOT "<joint name='j' type='fixed'><parent link='a'/><child link='b'/>\n"
           "<origin xyz='0,5 0 0'/></joint></robot>\n",
     5, 14, FENDER_STATUS_PARSE, "'xyz' is not a list of numbers", "0,5", "finite decimal numbers",
     "decimals have a point"},
    {"axis without direction",
     ROBOT "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>\n"
           "<axis xyz='0 0 0'/></joint></robot>\n",
     5, 2, FENDER_STATUS_VALUE, "the axis has no direction", "0 0 0", "a vector that is not zero", ""},
    {"impossible inertia",
     "<robot name='r'>\n<link name='a'><inertial><mass value='1'/>\n<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
     "izz='3'/></inertial></link></robot>\n",
     3, 2, FENDER_STATUS_VALUE, "body 'a': ", "3", "", ""},
    {"no mass", "<robot name='r'>\n<link name='a'/></robot>\n", 2, 2, FENDER_STATUS_VALUE,
     "'a' moves freely and has no mass", "neither its own mass", "a mass above 0", "--base fixed"},
    {"no such mesh",
     "<robot name='r'>\n<link name='a'>" LINK
     "\n<collision><geometry><mesh filename='none.stl'/></geometry></collision>"
     "</link></robot>\n",
     3, 38, FENDER_STATUS_FILE, "the file is not there", "none.stl", "a regular file", "check the name"},
    {"unknown package",
     "<robot name='r'>\n<link name='a'>" LINK "\n<collision><geometry><mesh filename='package://arm/x.stl'/></geometry>"
     "</collision></link></robot>\n",
     3, 38, FENDER_STATUS_NAME, "the folder of package 'arm' is not known", "arm", "a package that an option names",
     "--package arm=FOLDER"},

    {"no bodies", "<mujoco/>\n", 1, 2, FENDER_STATUS_PARSE, "the model has no bodies", "none", "<worldbody>", ""},
    {"unknown section", "<mujoco>\n<worldbdy/></mujoco>\n", 2, 2, FENDER_STATUS_NAME,
     "<worldbdy> is not known in <mujoco>", "worldbdy", "worldbody", "did you mean <worldbody>?"},
    {"unknown attribute of a geom", WORLD "<geom size='1' frictoin='1'/>\n" END, 4, 16, FENDER_STATUS_NAME,
     "<geom> has no attribute 'frictoin'", "frictoin", "an attribute of MJCF", "did you mean 'friction'?"},
    {"global coordinates", "<mujoco>\n<compiler coordinate='global'/></mujoco>\n", 2, 23, FENDER_STATUS_NAME,
     "global coordinates are not read", "global", "local", "save the model"},
    {"no such class", WORLD "<geom size='1' class='fot'/>\n" END, 4, 23, FENDER_STATUS_NAME,
     "no default class is named 'fot'", "fot", "the class of a <default>", ""},
    {"geom without size", WORLD "<geom type='box' size='1 1'/>\n" END, 4, 24, FENDER_STATUS_VALUE,
     "a box needs 3 lengths", "2", "size with 3 or more", ""},
    {"two orientations", WORLD "<geom size='1' quat='1 0 0 0' euler='0 0 0'/>\n" END, 4, 38, FENDER_STATUS_NAME,
     "<geom> has two orientations", "'quat' and 'euler'", "one", "remove one of the two"},
    {"quaternion of length 0", WORLD "<geom size='1' quat='0 0 0 0'/>\n" END, 4, 22, FENDER_STATUS_VALUE,
     "'quat' has no direction", "0 0 0 0", "neither zero nor parallel", ""},
    {"free joint below a body", WORLD "<geom size='1'/><body><freejoint/><geom size='1'/></body>\n" END, 4, 24,
     FENDER_STATUS_NAME, "a free joint is the only one of a body of the world", "", "one <freejoint>", ""},
    {"no such mesh asset", WORLD "<geom type='mesh' mesh='part'/>\n" END, 4, 25, FENDER_STATUS_NAME,
     "no mesh is named 'part'", "part", "the name of an asset", ""},
    {"no such body",
     WORLD "<geom size='1'/>\n</body>\n</worldbody>\n<contact>\n<exclude body1='a' body2='c'/></contact></mujoco>\n", 8,
     27, FENDER_STATUS_NAME, "no body is named 'c'", "c", "the name of a body", ""},
    {"solref", WORLD "<geom size='1' solref='0.02 -1'/>\n" END, 4, 24, FENDER_STATUS_VALUE, "'solref' is out of range",
     "0.02 -1", "two numbers above 0, or both below 0", ""},
    {"moments without products", WORLD "<inertial pos='0 0 0' mass='1'/>\n" END, 4, 2, FENDER_STATUS_PARSE,
     "<inertial> needs either 'diaginertia' or 'fullinertia'", "neither", "one", ""},
    {"free body without mass", WORLD "<freejoint/><geom size='1' mass='0'/>\n" END, 3, 2, FENDER_STATUS_VALUE,
     "'a' moves freely and has no mass", "", "a mass above 0", "add an inertia"},
    {"includes itself", "<mujoco>\n<include file='itself.xml'/></mujoco>\n", 2, 16, FENDER_STATUS_PARSE,
     "too many files are included", "itself.xml", "at most 100", "a file that includes itself?"},
    {"composite", "<mujoco>\n<worldbody>\n<composite type='cable'/></worldbody></mujoco>\n", 3, 2, FENDER_STATUS_NAME,
     "<composite> is not known in <worldbody>", "composite", "body, geom, joint", "--lenient"},
};

static bool has(const char *text, const char *part) { return part[0] ? strstr(text, part) != NULL : true; }

static void refused(void **state)
{
    (void)state;
    static collection c;
    int wrong = 0;
    FILE *file = fopen("itself.xml", "wb");
    assert_non_null(file);
    fputs("<mujoco>\n<include file='itself.xml'/></mujoco>\n", file);
    fclose(file);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct bad_model *k = &cases[i];
        fender_env env = collecting_env(&c);
        fender_error error = {0};
        fender_model_file *model = fender_model_file_parse(&env, "bad.xml", k->text, strlen(k->text), NULL, &error);
        const collected *d = NULL;
        for (int n = 0; n < c.count && !d; n++)
            if (c.list[n].severity == FENDER_SEVERITY_ERROR) d = &c.list[n];
        if (model || !d || d->line != k->line || d->column != k->column || error.status != k->status ||
            !has(d->message, k->message) || !has(d->found, k->found) || !has(d->expected, k->expected) ||
            !has(d->suggestion, k->remedy) || error.line != k->line ||
            strcmp(d->file, i + 2 == sizeof cases / sizeof cases[0] ? "itself.xml" : "bad.xml") != 0) {
            printf("%s: wanted %d:%d, status %d, got status %d\n", k->name, k->line, k->column, (int)k->status,
                   (int)error.status);
            print_collection(&c);
            wrong++;
        }
        fender_model_file_destroy(model);
    }
    printf("%zu bad models\n", sizeof cases / sizeof cases[0]);
    assert_int_equal(wrong, 0);
}

/* What a lenient import passes over is named all the same. */
static void lenient(void **state)
{
    (void)state;
    static collection c;
    fender_model_import options = fender_model_import_default();
    options.lenient = true;
    fender_model_file *model = import_text(
        "lenient.urdf",
        "<robot name='r' shade='x'>\n<lnk/>\n<link name='a'><inertial><mass value='1'/>\n<inertia ixx='1' ixy='0' "
        "ixz='0' iyy='1' iyz='0' izz='3'/></inertial></link></robot>\n",
        &options, &c);
    assert_int_equal(c.errors, 0);
    assert_int_equal(fender_model_file_report(model)->warnings, 3);
    assert_string_equal(c.list[0].message, "<robot> has no attribute 'shade'");
    assert_string_equal(c.list[1].message, "<lnk> is not known in <robot>");
    assert_int_equal(c.list[2].line, 4);
    assert_non_null(strstr(fender_model_file_scenario(model, NULL), "lenient_inertia: true"));
    fender_world_destroy(world_of(model));
    fender_model_file_destroy(model);
}

/* ---- limits */

static fender_error refuse_text(const char *text, size_t length)
{
    fender_error error = {0};
    fender_model_file *model = fender_model_file_parse(NULL, "large.xml", text, length, NULL, &error);
    assert_null(model);
    return error;
}

static void limits(void **state)
{
    (void)state;
    enum { DEPTH = 100000, COUNT = 300000 };
    char *text = malloc(8 * COUNT + 64);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "<mujoco>\n");
    for (int i = 0; i < DEPTH; i++) n += (size_t)sprintf(text + n, "<a>");
    fender_error error = refuse_text(text, n);
    assert_string_equal(error.message, "the elements are nested too deeply");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 3 * 99 + 2); /* the root is the first of 100 levels */
    n = (size_t)sprintf(text, "<mujoco>\n");
    for (int i = 0; i < COUNT; i++) n += (size_t)sprintf(text + n, "<a/>");
    error = refuse_text(text, n); /* one line of a megabyte */
    assert_string_equal(error.message, "the file has too many elements or attributes");
    assert_int_equal(error.column, 4 * 199999 + 2);
    free(text);
    text = calloc(FENDER_MODEL_FILE_LIMIT + 1, 1);
    assert_non_null(text);
    error = refuse_text(text, FENDER_MODEL_FILE_LIMIT + 1);
    assert_string_equal(error.message, "the file is too large");
    free(text);
    assert_null(fender_model_file_read(NULL, "nowhere.urdf", NULL, &error));
    assert_int_equal(error.status, FENDER_STATUS_FILE);
    fender_model_import wrong = {0};
    error = (fender_error){0};
    assert_null(fender_model_file_parse(NULL, "a", "<a/>", 4, &wrong, &error));
    assert_int_equal(error.status, FENDER_STATUS_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused), cmocka_unit_test(lenient), cmocka_unit_test(limits)};
    if (!fender_model_has_xml()) {
        printf("skipped: this build has no expat\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
