// The verbs below `tamis store`.

#ifndef TAMIS_TOOLS_STORE_VERBS_H_
#define TAMIS_TOOLS_STORE_VERBS_H_

#include "tools/common/subcommand.h"

namespace tamis::tools {

// data_verbs.cc
Runner AddStoreLoad(CLI::App& parent, Console console);
Runner AddStoreGet(CLI::App& parent, Console console);
Runner AddStorePut(CLI::App& parent, Console console);
Runner AddStoreDelete(CLI::App& parent, Console console);
Runner AddStoreScan(CLI::App& parent, Console console);

// care_verbs.cc
Runner AddStoreStats(CLI::App& parent, Console console);
Runner AddStoreRebuild(CLI::App& parent, Console console);
Runner AddStoreCheck(CLI::App& parent, Console console);
Runner AddStoreBackup(CLI::App& parent, Console console);

// attach_verbs.cc
Runner AddStoreAttach(CLI::App& parent, Console console);
Runner AddStoreDetach(CLI::App& parent, Console console);

// replay_verb.cc, measure_verb.cc
Runner AddStoreReplay(CLI::App& parent, Console console);
Runner AddStoreMeasure(CLI::App& parent, Console console);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_STORE_VERBS_H_
