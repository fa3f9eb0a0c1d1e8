/* modelDescription.xml of an exported FMU. */
#ifndef FND_FMI_DESCRIBE_H
#define FND_FMI_DESCRIBE_H

#include "fmi/model.h"

typedef struct fnd_fmi_description {
    const fnd_fmi_model *model;
    int version; /* 2 or 3 */
    const char *identifier, *title, *about, *token;
    double start_time, stop_time, step; /* s */
    bool adaptive;
} fnd_fmi_description;

void fnd_fmi_describe(fnd_buffer *to, const fnd_fmi_description *description);
/* Text of an attribute or an element: <, >, &, " and control characters written for XML. */
void fnd_fmi_append_escaped(fnd_buffer *to, const char *text);

#endif
