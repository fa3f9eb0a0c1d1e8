/* A MuJoCo model out of a text: MuJoCo reads models from files only, but it can be shown one in memory. */
#ifndef FENDER_BENCH_MUJOCO_MODEL_H
#define FENDER_BENCH_MUJOCO_MODEL_H

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NULL after a message. */
static mjModel *mujoco_model(const char *text)
{
    mjVFS *files = malloc(sizeof *files);
    if (!files) return NULL;
    mj_defaultVFS(files);
    char message[300] = "no room for the model";
    mjModel *model = NULL;
    int size = (int)strlen(text);
    if (mj_makeEmptyFileVFS(files, "model.xml", size) == 0) {
        memcpy(files->filedata[0], text, (size_t)size);
        model = mj_loadXML("model.xml", files, message, sizeof message);
    }
    if (!model) fprintf(stderr, "MuJoCo: %s\n", message);
    mj_deleteVFS(files);
    free(files);
    return model;
}

#endif
