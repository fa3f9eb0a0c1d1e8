/* An XML text as a tree of elements and attributes that know their places. The only code that calls expat. */
#ifndef FND_MODEL_IMPORT_XML_H
#define FND_MODEL_IMPORT_XML_H

#include "scenario/diagnose.h"
#include "support/memory.h"

#define FND_XML_SIZE_LIMIT      ((size_t)16 << 20)
#define FND_XML_DEPTH_LIMIT     100
#define FND_XML_ELEMENT_LIMIT   200000
#define FND_XML_ATTRIBUTE_LIMIT 1000000

typedef struct fnd_xml_attribute fnd_xml_attribute;
struct fnd_xml_attribute {
    const char *name, *value;
    fnd_location location; /* of the value, without its quotes */
    fnd_location name_location;
    bool used; /* a reader has asked for it */
    fnd_xml_attribute *next;
};

typedef struct fnd_xml_element fnd_xml_element;
struct fnd_xml_element {
    const char *name;
    fnd_location location; /* of the name */
    fnd_location text;     /* of the first character data that are not blank; line 0: none */
    fnd_xml_attribute *attributes;
    fnd_xml_element *parent, *first, *last, *next; /* children in the order of the text */
};

/* Parses UTF-8 text, which is terminated besides its length and lives as long as the arena, as does `name`. Document
 * type declarations, and thus entities, are refused. NULL after a diagnostic; NOT_BUILT without expat. */
fnd_xml_element *fnd_xml_parse(fnd_arena *arena, fnd_diagnostics *diagnostics, const char *name, const char *text,
                               size_t length);

/* The attribute, marked as used; NULL: not given. */
fnd_xml_attribute *fnd_xml_find(const fnd_xml_element *element, const char *name);
/* The first child of that name; NULL: none. */
fnd_xml_element *fnd_xml_child(const fnd_xml_element *element, const char *name);

#endif
