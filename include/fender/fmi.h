/* fender/fmi.h - export of scenarios as Functional Mock-up Units (FMI 2.0 and 3.0). Library fender_io. */
#ifndef FENDER_FMI_H
#define FENDER_FMI_H

#include "io.h"

typedef struct fender_fmu_def {
    const fender_scenario *scenario;
    int version;         /* 2: FMI 2.0, co-simulation; 3: FMI 3.0, co-simulation and model exchange */
    const char *library; /* path of fender_fmu.so of this version, which becomes the binary of the FMU */
} fender_fmu_def;
typedef struct fender_fmu_report {
    int parameters, inputs, outputs; /* variables of the FMU */
    bool model_exchange;             /* offered: by FMI 3.0, of a scenario without actions, controllers and welds */
} fender_fmu_report;

/* Writes an FMU: a zip archive with description, binary, all texts and terrains of the scenario, and a page. It needs
 * no file of Fender where it runs. Section `fmu` of the scenario names its variables. The same scenario and library
 * give the same bytes. NOT_BUILT for a scenario with plug-ins, whose libraries cannot be taken along; FILE, also for
 * another library; NAME for unknown commands and channels; what fender_run_create refuses. Warnings of a run go to
 * env->report. `report` may be NULL. */
FENDER_API fender_status fender_export_fmu(const fender_env *env, const fender_fmu_def *def, const char *path,
                                           fender_fmu_report *report, fender_error *error);

#endif
