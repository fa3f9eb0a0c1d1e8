/* Trick's binary recordings (.trk, version 10): doubles are written, every number of Trick's is read. */
#ifndef FND_TABLES_TRK_H
#define FND_TABLES_TRK_H

#include "tables/table.h"

extern const fnd_table_format fnd_trk_format;

#endif
