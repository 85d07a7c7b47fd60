// Experiments on TAF, exAF and uTAF.

#ifndef TAMIS_LAB_REPRODUCE_ADAPTIVE_QUOTIENT_H_
#define TAMIS_LAB_REPRODUCE_ADAPTIVE_QUOTIENT_H_

#include "lab/reproduce/experiment.h"

namespace tamis::tools {

// The adversary of the thesis, section 6.2.3, against every overflow policy.
Result<Findings> RunTafAdversary(const ExperimentOptions& options);
// The thesis's Figures 6.4 to 6.6: the adversary against all filters; the last
// is also the telescoping paper's Figure 4, right.
Result<Findings> RunThesisFigure64(const ExperimentOptions& options);
Result<Findings> RunThesisFigure65(const ExperimentOptions& options);
Result<Findings> RunTafFigure4Adversary(const ExperimentOptions& options);
// Rates on streams of queries: the telescoping paper's Figures 2 (the thesis's
// 6.1 and 6.2), 3 and 4, left (the thesis's 6.3).
Result<Findings> RunTafFigure2Active(const ExperimentOptions& options);
Result<Findings> RunTafFigure2PowerLaw(const ExperimentOptions& options);
Result<Findings> RunTafFigure3(const ExperimentOptions& options);
Result<Findings> RunTafFigure4Trace(const ExperimentOptions& options);
// Throughput by load: the telescoping paper's Figure 5 (the thesis's 6.7, 6.8)
// and the thesis's Figure 6.9.
Result<Findings> RunTafFigure5(const ExperimentOptions& options);
Result<Findings> RunThesisFigure69(const ExperimentOptions& options);
// The same with hashing, checks and adapts, over A/S.
Result<Findings> RunTafThroughput(const ExperimentOptions& options);
// The distribution of selectors: Lemma 2, Corollary 3, Theorem 4.
Result<Findings> RunTafSelectors(const ExperimentOptions& options);
// The same where queries come again, and the adaptivity game.
Result<Findings> RunTafTheory(const ExperimentOptions& options);
// Codes of other lengths: queries before overflow, Theorem 4, budgets.
Result<Findings> RunTafCodes(const ExperimentOptions& options);
// What fixes do to other queries.
Result<Findings> RunTafSerendipity(const ExperimentOptions& options);
// The overflow policies on FireHose's active set.
Result<Findings> RunTafPolicies(const ExperimentOptions& options);

}  // namespace tamis::tools

#endif  // TAMIS_LAB_REPRODUCE_ADAPTIVE_QUOTIENT_H_
