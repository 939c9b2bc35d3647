import { ASSET_TYPES, ENVIRONMENTS } from "#families/estate/index.js";
import { SEVERITIES } from "#families/findings/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Attributes } from "#kernel/records/generic-body.js";
import { InvolvedParties, RelatedParty } from "#kernel/records/involved.js";
import { READ_ONLY, recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { POLICY_KINDS, PolicyFields } from "./fields.js";
import { policyStatus } from "./machine.js";

/** The runs without any asset after which a policy looks like a mistake. */
export const UNMATCHED = 3;

export const POLICY_STATUSES = ["draft", "observe", "active", "disabled", "archived"] as const;

const ReadOnlyFields = z.object({
  kind: z
    .enum(POLICY_KINDS)
    .meta({ description: "`posture`: over the inventory, in runs. `runtime`: over each request." }),
  revision: z.int().min(1).meta({ description: "Rises with every change of rules, parameters or selector." }),
  digest: z.string().meta({ description: "SHA-256 of rules, parameters and selector in canonical form." }),
  managedBy: z.enum(["tenant", "builtin"]).meta({
    description:
      "`builtin`: part of the pack that comes with Reeve; only its parameters, severity, gate and status can be changed.",
  }),
  pack: z.string().nullable().meta({ description: "The pack and its version that it comes from." }),
  warnings: z
    .array(
      z.object({
        pointer: z.string().meta({ description: "JSON Pointer into the policy." }),
        message: z.string().meta({ description: "What to look at." }),
      }),
    )
    .meta({
      description: "What is allowed and yet looks like a mistake.",
    }),
  unmatchedRuns: z
    .int()
    .min(0)
    .max(UNMATCHED)
    .meta({ description: `Runs over all assets in a row that found none to ask it of; ${UNMATCHED} stands for more.` }),
  pending: z
    .object({
      by: z.string().meta({ description: "Id of who asks for it." }),
      at: Time.meta({ description: "The time since which it holds." }),
      reason: z.string().nullable().meta({ description: "The reason in words." }),
      status: z.enum(POLICY_STATUSES).nullable().meta({ description: "Where it is to go; `null`: nowhere." }),
      change: z.record(z.string(), z.unknown()).nullable().meta({ description: "The fields that are to change." }),
      digest: z.string().meta({ description: "SHA-256 of what is asked for; who confirms it names it." }),
    })
    .nullable()
    .meta({
      description: "What waits for a four-eyes approver: that it is put in force, or a change of what it holds back.",
    }),
  involved: InvolvedParties,
  relatedParty: RelatedParty,
});
export const POLICY_READ_ONLY = [...READ_ONLY, ...Object.keys(ReadOnlyFields.shape)];

/** A policy as it is stored and served. */
export const Policy = z
  .object({
    ...recordShape(z.enum(POLICY_STATUSES)),
    ...ReadOnlyFields.shape,
    ...PolicyFields.shape,
    attributes: Attributes,
  })
  .meta({ id: "Policy" });
export type Policy = z.output<typeof Policy>;

/** What says what it finds. Other fields do not involve who changes them. */
const SAID: readonly string[] = ["selector", "rules", "params", "paramSchemas", "severity", "gate"];

/** Policies of both kinds; one per key. */
export const policies = defineCollection<Policy>({
  name: "ai_policies",
  broadcast: true,
  prefix: "pol",
  schema: Policy,
  resource: {
    type: "ai_policy",
    event: "policy",
    path: "/api/v1/ai-governance/policies",
    alsoAt: ["/api/v1/ai/policies"],
  },
  machines: { status: policyStatus },
  involved: { free: Object.keys(Policy.shape).filter((field) => !SAID.includes(field)) },
  fields: {
    status: { type: "text" },
    kind: { type: "text" },
    key: { type: "text", compare: "canonical" },
    severity: { type: "text" },
    assetTypes: { type: "texts", of: ({ selector }) => selector.assetTypes },
    environments: { type: "texts", of: ({ selector }) => selector.environments },
    controls: { type: "texts", of: ({ rules }) => rules.flatMap(({ controls }) => controls) },
    /** Whether it is evaluated: observed or in force. */
    evaluated: { type: "boolean", of: ({ status }) => status === "observe" || status === "active" },
    /** Whether promotions wait for it. */
    gating: { type: "boolean", of: ({ kind, status, gate }) => kind === "posture" && status === "active" && gate },
    /** Whether it is evaluated and no run finds an asset to ask it of. */
    unmatched: {
      type: "boolean",
      of: ({ status, unmatchedRuns }) => (status === "observe" || status === "active") && unmatchedRuns >= UNMATCHED,
    },
  },
  unique: { key: ["key"] },
  indexes: [
    { where: ["severity"] },
    { where: ["status"] },
    { where: ["kind"] },
    { where: ["kind", "evaluated"] },
    { where: ["gating"] },
  ],
  filters: {
    kind: { values: POLICY_KINDS },
    status: { values: POLICY_STATUSES },
    severity: { values: SEVERITIES },
    assetType: {
      field: "assetTypes",
      values: ASSET_TYPES,
      orNone: true,
      description: "Its selector names this type of assets, or none.",
    },
    environment: {
      field: "environments",
      values: ENVIRONMENTS,
      orNone: true,
      description: "Its selector names this environment, or none.",
    },
    unmatched: { type: "boolean", description: `Its last ${UNMATCHED} runs found no asset to ask it of.` },
    control: { field: "controls", description: "A control of a framework that a rule of it is evidence for." },
  },
  counted: ["status", "severity", "kind", "unmatched"],
  retain: true,
  search: ({ name, key, description }) => [name, key, description].join("\n"),
});
