import { readEstateBody } from "#families/estate/index.js";
import { ById, readOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { annotatedActionBody, openBody } from "#kernel/records/open-body.js";
import { RunFields } from "./fields.js";
import { runStatus } from "./machine.js";
import { pairsAtMost } from "./run/progress.js";
import { awaitWorker, checkScope, newRun } from "./run/start.js";
import { workWithin } from "./run/work.js";
import { EvaluationRun, evaluationRuns, RUN_READ_ONLY, runWork } from "./schema.js";

const PATH = "/api/v1/ai-governance/evaluations";
const shared = { tag: "AI Governance" } as const;
const may = (verb: "read" | "run") => ({ permission: `ai-evaluation:${verb}`, capability: "ai_governance" }) as const;

/** The most pairs of policy and asset of a run that completes within its request. */
const INLINE_PAIRS = 1_000;
const GivenFields = RunFields.partial();

const RunRequest = openBody({
  id: "EvaluationRunRequest",
  fields: RunFields,
  example: { name: "Before the release", mode: "full", scope: { environments: ["production"] } },
});

export const runEvaluation = defineOperation({
  ...shared,
  id: "aiEvaluations.run",
  method: "POST",
  path: `${PATH}/run`,
  summary: "Evaluate the policies that are observed or in force over the estate",
  description:
    "`scope` narrows it, `mode` is `incremental` unless said, `dryRun` only counts. A small run is over when it is answered; a larger one is answered `queued`, goes on a part at a time as `tick` is called, and tells how far it is. 409 while one with the same scope and mode waits.",
  access: may("run"),
  expensive: true,
  body: RunRequest.optional(),
  success: { status: 201, schema: EvaluationRun },
  errors: ["already_exists", "invalid_reference", "read_only_property"],
  async handler(ctx, { body = {} }) {
    const { fields, free } = readEstateBody(body, GivenFields, RUN_READ_ONLY);
    if (fields.scope) await checkScope(ctx, fields.scope);
    const run = await ctx.insert(evaluationRuns, newRun(ctx, "manual", { ...fields, ...free }));
    if ((await pairsAtMost(ctx, run)) <= INLINE_PAIRS) return workWithin(ctx, run);
    await awaitWorker(ctx, run);
    return run;
  },
});

export const listRuns = defineOperation({
  ...shared,
  id: "aiEvaluations.list",
  method: "GET",
  path: `${PATH}/runs`,
  summary: "List evaluation runs",
  access: may("read"),
  query: listQuery(evaluationRuns),
  success: { status: 200, schema: pageOf(EvaluationRun) },
  handler: (ctx, { query }) => ctx.page(evaluationRuns, query),
});

export const readRun = readOperation({
  ...shared,
  id: "aiEvaluations.read",
  path: `${PATH}/runs`,
  summary: "Read one evaluation run and how far it is",
  access: may("read"),
  collection: evaluationRuns,
  schema: EvaluationRun,
});

export const cancelRun = defineOperation({
  ...shared,
  id: "aiEvaluations.cancel",
  method: "POST",
  path: `${PATH}/runs/{id}/cancel`,
  extension: true,
  summary: "Stop an evaluation run",
  description: "What it has found so far holds; assets it has not looked at stay as they were.",
  access: may("run"),
  params: ById,
  body: annotatedActionBody({ id: "EvaluationCancellation", example: { reason: "It takes too long." } }).optional(),
  success: { status: 200, schema: EvaluationRun },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body }) {
    const run = await ctx.getForUpdate(evaluationRuns, params.id);
    const patch = { finishedAt: ctx.now };
    const cancelled = await ctx.transition(
      evaluationRuns,
      runStatus,
      run,
      { to: "cancelled" },
      { reason: body?.reason, metadata: body?.metadata, patch },
    );
    const work = await ctx.db.get(runWork, run.id);
    if (work) await ctx.remove(runWork, work.value);
    return cancelled;
  },
});
