import { canonical } from "#kernel/events/canonical.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Attributes, Configuration } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { READ_ONLY, recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { RUN_TRIGGERS, RunCounts, RunFields } from "./fields.js";
import { runStatus } from "./machine.js";

const ReadOnlyFields = z.object({
  trigger: z.enum(RUN_TRIGGERS).meta({
    description: "`change`: of policies. `request`: somebody claims that a finding is mended.",
  }),
  policySetDigest: z.string().nullable().meta({
    description:
      "SHA-256 of ids, digests and states of its policies. `null` before it starts, and once they changed while it ran.",
  }),
  engine: z.string().nullable().meta({ description: "What computed the rules." }),
  startedAt: Time.nullable().meta({ description: "When it began." }),
  finishedAt: Time.nullable().meta({ description: "When it ended." }),
  progress: z
    .object({
      done: z.int().meta({ description: "Assets looked at." }),
      total: z.int().meta({ description: "Assets to look at." }),
    })
    .meta({ description: "Assets looked at, and how many there were to look at when it began." }),
  counts: RunCounts.meta({ description: "What came of it." }),
  errors: z
    .array(
      z.object({
        assetId: z.string().nullable().meta({ description: "Id of the asset." }),
        policyKey: z.string().nullable().meta({ description: "Key of the policy." }),
        message: z.string().meta({ description: "What went wrong." }),
      }),
    )
    .meta({ description: "The first hundred; `counts.error` is exact." }),
});
export const RUN_READ_ONLY = [...READ_ONLY, ...Object.keys(ReadOnlyFields.shape)];

/** An evaluation run as it is stored and served. */
export const EvaluationRun = z
  .object({
    ...recordShape(z.enum(statesOf(runStatus))),
    ...ReadOnlyFields.shape,
    ...RunFields.shape,
    configuration: Configuration,
    attributes: Attributes,
  })
  .meta({ id: "EvaluationRun" });

export type EvaluationRun = z.output<typeof EvaluationRun>;

/** The key of equal runs: trigger, scope, mode and dry run. */
export function equalityKey({
  trigger,
  scope,
  mode,
  dryRun,
}: Pick<EvaluationRun, "trigger" | "scope" | "mode" | "dryRun">): string {
  return sha256(canonical({ trigger, scope, mode, dryRun }));
}

function only(ids: readonly string[]): string | null {
  return ids.length === 1 ? (ids[0] as string) : null;
}

/** Evaluation runs. At most one with the same key waits. */
export const evaluationRuns = defineCollection<EvaluationRun>({
  name: "evaluation_runs",
  prefix: "evr",
  schema: EvaluationRun,
  resource: { type: "evaluation_run", event: "evaluation", path: "/api/v1/ai-governance/evaluations/runs" },
  machines: { status: runStatus },
  fields: {
    status: { type: "text" },
    trigger: { type: "text" },
    /** Its only policy or asset. `null` unless there is exactly one. */
    policyId: { type: "text", of: ({ scope }) => only(scope.policyIds) },
    assetId: { type: "text", of: ({ scope }) => only(scope.assetIds) },
    /** Set while it waits, so that no equal run waits too. */
    waiting: { type: "text", compare: "exact", of: (run) => (run.status === "queued" ? equalityKey(run) : null) },
    finishedAt: { type: "time" },
    active: { type: "boolean", of: ({ status }) => status === "queued" || status === "running" },
  },
  unique: { waiting: ["waiting"] },
  taken: { waiting: "A run with the same scope and mode waits already." },
  indexes: [
    { where: ["assetId"] },
    { where: ["policyId"] },
    { where: ["status"] },
    { where: ["trigger"] },
    { where: ["active"] },
    { where: [], by: "finishedAt", partial: true },
  ],
  filters: {
    status: { values: statesOf(runStatus) },
    trigger: { values: RUN_TRIGGERS },
    policyId: { description: "Runs over this policy alone." },
    assetId: { ids: "ai_asset", description: "Runs over this asset alone." },
  },
  counted: ["status", "trigger"],
  retain: true,
});

/**
 * The claim on a run, under the run's id, so that one worker at a time has it. It exists while the run waits or works.
 */
const RunWork = z.object({
  id: z.string(),
  version: z.int(),
  createdAt: Time,
  /** Id of the last evaluated asset, or its place in the list of assets. */
  cursor: z.string().nullable(),
  claimedBy: z.string().nullable(),
  claimExpiresAt: Time.nullable(),
  /** Claims since the last progress. */
  attempts: z.int(),
});
export type RunWork = z.output<typeof RunWork>;

export const runWork = defineCollection<RunWork>({
  name: "evaluation_work",
  prefix: null,
  schema: RunWork,
  secrets: [],
});
