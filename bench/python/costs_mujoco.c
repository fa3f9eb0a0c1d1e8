/* MuJoCo's steps in C, beside costs_mujoco.py, for scripts/measure_python. usage: costs_mujoco MODEL.xml step|advance COUNT */
#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char error[500] = "";
    if (argc != 4) return 2;
    long count = strtol(argv[3], NULL, 10) * (strcmp(argv[2], "advance") == 0 ? 1000 : 1);
    mjModel *model = mj_loadXML(argv[1], NULL, error, sizeof error);
    if (!model) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    mjData *data = mj_makeData(model);
    for (long i = 0; i < count; i++) mj_step(model, data);
    printf("%.17g\n", data->qpos[2]);
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
