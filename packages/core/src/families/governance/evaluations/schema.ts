import { z } from "zod";
import { canonical } from "../../../kernel/events/canonical.js";
import { sha256 } from "../../../kernel/events/chain.js";
import { defineCollection } from "../../../kernel/records/collection.js";
import { AnyObject } from "../../../kernel/records/generic-body.js";
import { statesOf } from "../../../kernel/records/machine.js";
import { READ_ONLY, recordShape, Time } from "../../../kernel/records/record.js";
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
  startedAt: Time.nullable(),
  finishedAt: Time.nullable(),
  progress: z
    .object({ done: z.int(), total: z.int() })
    .meta({ description: "Assets looked at, and how many there were to look at when it began." }),
  counts: RunCounts,
  errors: z
    .array(z.object({ assetId: z.string().nullable(), policyKey: z.string().nullable(), message: z.string() }))
    .meta({ description: "The first hundred; `counts.error` is exact." }),
});
export const RUN_READ_ONLY = [...READ_ONLY, ...Object.keys(ReadOnlyFields.shape)];

/** An evaluation run as it is stored and served. */
export const EvaluationRun = z
  .object({
    ...recordShape(z.enum(statesOf(runStatus))),
    ...ReadOnlyFields.shape,
    ...RunFields.shape,
    configuration: AnyObject,
    attributes: AnyObject,
  })
  .meta({ id: "EvaluationRun" });

export type EvaluationRun = z.output<typeof EvaluationRun>;

/** What two runs have in common that would do the same for the same reason. */
export function sameness({
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

/** Evaluation runs. Of those that wait, one at most has the same trigger, scope and mode. */
export const evaluationRuns = defineCollection<EvaluationRun>({
  name: "evaluation_runs",
  prefix: "evr",
  schema: EvaluationRun,
  resource: { type: "evaluation_run", event: "evaluation", path: "/api/v1/ai-governance/evaluations/runs" },
  machines: { status: runStatus },
  fields: {
    status: { type: "text" },
    trigger: { type: "text" },
    /** The one policy or asset that it is about; `null` where it is about more. */
    policyId: { type: "text", of: ({ scope }) => only(scope.policyIds) },
    assetId: { type: "text", of: ({ scope }) => only(scope.assetIds) },
    /** Set while it waits, so that no second one with the same scope does. */
    waiting: { type: "text", of: (run) => (run.status === "queued" ? sameness(run) : null) },
    active: { type: "boolean", of: ({ status }) => status === "queued" || status === "running" },
  },
  unique: { waiting: ["waiting"] },
  indexes: [
    { where: ["assetId"] },
    { where: ["policyId"] },
    { where: ["status"] },
    { where: ["trigger"] },
    { where: ["active"] },
  ],
  filters: {
    status: { values: statesOf(runStatus) },
    trigger: { values: RUN_TRIGGERS },
    policyId: { description: "Runs over this policy alone." },
    assetId: { description: "Runs over this asset alone." },
  },
  counted: ["status", "trigger"],
  retain: true,
});

/** What keeps a run to one worker at a time, under the run's id; there while the run waits or goes on. */
const RunWork = z.object({
  id: z.string(),
  version: z.int(),
  createdAt: Time,
  /** Id of the asset, or place in the list of assets, after which it goes on. */
  cursor: z.string().nullable(),
  claimedBy: z.string().nullable(),
  claimExpiresAt: Time.nullable(),
  /** How often it was taken up since it last came further. */
  attempts: z.int(),
});
export type RunWork = z.output<typeof RunWork>;

export const runWork = defineCollection<RunWork>({
  name: "evaluation_work",
  prefix: null,
  schema: RunWork,
  secrets: [],
});
