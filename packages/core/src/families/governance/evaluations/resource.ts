import { promotionGates } from "#families/estate/index.js";
import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { extend } from "#kernel/config/extension.js";
import { evaluationDues, runEvaluationJobs } from "./jobs.js";
import { runStatus } from "./machine.js";
import { cancelRun, listRuns, readRun, runEvaluation } from "./operations.js";
import { policyGates } from "./policy-gate.js";
import { evaluationMarks } from "./results/marks.js";
import { assetResults } from "./results/results.js";
import { ruleStandings } from "./results/standings.js";
import { followAssets, followPolicies } from "./run/follow.js";
import { evaluationRuns, runWork } from "./schema.js";

/** Runs that evaluate policies over all assets. */
export const evaluationsResource = defineResource({
  collections: [evaluationRuns, runWork, assetResults, evaluationMarks, ruleStandings],
  machines: [runStatus],
  operations: [runEvaluation, listRuns, readRun, cancelRun],
  permissions: {
    "ai-evaluation:read": { lets: "See evaluation runs", heldBy: [...READERS, "member"] },
    "ai-evaluation:run": { lets: "Run evaluations, and stop them", heldBy: ["governance_officer", "operator"] },
  },
  follows: [followAssets, followPolicies],
  extends: [extend(promotionGates, policyGates)],
  dues: [...evaluationDues],
  tick: runEvaluationJobs,
});
