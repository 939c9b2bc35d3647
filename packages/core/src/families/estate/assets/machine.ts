import { defineMachine, type Guard } from "#kernel/operation/guard.js";
import { statesOf } from "#kernel/records/machine.js";
import { referencesOf, unreadyRecord } from "./effective/record-side.js";
import type { AssetFields } from "./fields.js";
import { dependencyDenial } from "./lifecycle/dependencies.js";
import { gateBlockers } from "./lifecycle/gates.js";
import { LIFECYCLE_STATES } from "./lifecycle/lifecycle-states.js";
import { unaccountable } from "./owners/accountable.js";
import { missingTargets } from "./relations/relations.js";

/** The fields that guards read. */
interface Governed extends Pick<AssetFields, "assetType" | "riskTier" | "owner" | "sponsor" | "relations"> {
  readonly id: string;
  readonly governanceState: string;
  readonly priorGovernanceState: string | null;
  readonly changedInReview: boolean;
}

const approved: Guard<Governed> = {
  description: "Governance has approved the asset.",
  check: ({ record }) =>
    ["approved", "conditionally_approved"].includes(record.governanceState)
      ? undefined
      : `Governance state is "${record.governanceState}"; production needs an approval.`,
};

const permitted: Guard<Governed> = {
  description: "It is of no prohibited risk tier.",
  check: ({ record }) => (record.riskTier === "prohibited" ? "Its risk tier is prohibited." : undefined),
};

const accountable: Guard<Governed> = {
  description: "Owner and sponsor are living people.",
  check: ({ record, ctx }) => unaccountable(ctx, record),
};

const gatesPass: Guard<Governed> = {
  description: "Every gating policy that applies passes now, or its findings are exempted or dismissed.",
  check: ({ after, ctx }) => gateBlockers(ctx, after),
};

const relationsResolved: Guard<Governed> = {
  description: "Every relation leads to a registered asset.",
  async check({ record, ctx, collection }) {
    const declared = record.relations.map(({ targetId }) => targetId);
    const missing = await missingTargets(ctx, collection, [...declared, ...(await referencesOf(ctx, record))]);
    return missing.length === 0 ? undefined : `Relations lead nowhere: ${missing.join(", ")}.`;
  },
};

const recordReady: Guard<Governed> = {
  description: "What a tool or an MCP server says of itself is what was approved.",
  check: ({ record, ctx }) => unreadyRecord(ctx, record),
};

const dependenciesUsable: Guard<Governed> = {
  description: "What it depends on may be used: its MCP server, identity, models, parent agents and host.",
  check: ({ after, ctx }) => dependencyDenial(ctx, after),
};

/** `status` of an asset: from discovery to retirement. */
export const assetLifecycle = defineMachine<Governed>()({
  name: "assetLifecycle",
  field: "status",
  eventType: "asset.lifecycle.changed",
  states: LIFECYCLE_STATES,
  initial: ["registered", "discovered"],
  guards: { approved, permitted, accountable, gatesPass, relationsResolved, recordReady, dependenciesUsable },
  transitions: [
    { event: "register", from: ["discovered"], to: "registered", permission: "ai-asset:promote" },
    { event: "develop", from: ["registered", "validation"], to: "development", permission: "ai-asset:promote" },
    {
      event: "validate",
      from: ["registered", "development", "production"],
      to: "validation",
      permission: "ai-asset:promote",
    },
    {
      event: "promote",
      from: ["validation", "deprecated"],
      to: "production",
      guards: [
        "approved",
        "permitted",
        "accountable",
        "gatesPass",
        "relationsResolved",
        "recordReady",
        "dependenciesUsable",
      ],
      permission: "ai-asset:promote",
    },
    { event: "deprecate", from: ["production"], to: "deprecated", permission: "ai-asset:retire", ownerMay: true },
    {
      event: "retire",
      warns: true,
      from: ["discovered", "registered", "development", "validation", "production", "deprecated"],
      to: "retired",
      needsReason: true,
      permission: "ai-asset:retire",
      ownerMay: true,
    },
    { event: "restore", from: ["retired"], to: "registered", permission: "ai-asset:restore" },
  ],
});

const priorState: Guard<Governed> = {
  description: "It was in this state before it was suspended, or before its review.",
  check({ record: { priorGovernanceState: prior }, to }) {
    if (prior === to) return undefined;
    if (prior === null) return "It was changed or reviewed while it was suspended; have it reviewed again.";
    return `Before that it was "${prior}".`;
  },
};

const nothingStopped: Guard<Governed> = {
  description: "It was neither suspended nor rejected before its review.",
  check({ record }) {
    const stop = stopOf(record);
    return stop === undefined ? undefined : `Before its review it was ${stop}.`;
  },
};

const nothingChanged: Guard<Governed> = {
  description: "It was not changed since its review was asked for, and the review is of no change.",
  check: ({ record }) => (record.changedInReview ? "It was changed; have it reviewed." : undefined),
};

/** The second machine of an asset: its governance state. */
export const governanceState = defineMachine<Governed>()({
  name: "governanceState",
  field: "governanceState",
  eventType: "asset.governance_state.changed",
  states: {
    unreviewed: "Nobody has looked at it.",
    under_review: "A decision is being made.",
    approved: "May be used.",
    conditionally_approved: "May be used while its conditions are met.",
    rejected: "Must not be used.",
    suspended: "Stopped as an emergency.",
    expired: "The approval has run out.",
  },
  initial: ["unreviewed"],
  guards: { priorState, nothingStopped, nothingChanged, permitted },
  transitions: [
    {
      event: "request_review",
      from: ["unreviewed", "approved", "conditionally_approved", "expired"],
      to: "under_review",
      asks: true,
    },
    { event: "request_review", from: ["rejected", "suspended"], to: "under_review", byPeople: true, asks: true },
    { event: "withdraw", from: ["under_review"], to: "unreviewed", guards: ["nothingStopped"] },
    {
      event: "approve",
      from: ["under_review"],
      to: "approved",
      guards: ["permitted"],
      permission: "ai-governance:approve",
      fourEyes: true,
    },
    {
      event: "approve_conditionally",
      from: ["under_review"],
      to: "conditionally_approved",
      guards: ["permitted"],
      permission: "ai-governance:approve",
      fourEyes: true,
    },
    ...(["approved", "conditionally_approved"] as const).flatMap((standing) => [
      {
        event: "request_renewal" as const,
        from: [standing] as const,
        to: standing,
        stays: true as const,
        asks: true as const,
      },
      {
        event: "withdraw_renewal" as const,
        from: [standing] as const,
        to: standing,
        guards: ["nothingChanged"] as const,
        stays: true as const,
      },
      {
        event: "renew" as const,
        from: [standing] as const,
        to: standing,
        guards: ["permitted"] as const,
        permission: "ai-governance:approve" as const,
        fourEyes: true as const,
        stays: true as const,
      },
    ]),
    {
      event: "reject",
      from: ["under_review", "approved", "conditionally_approved"],
      to: "rejected",
      needsReason: true,
      permission: "ai-governance:approve",
    },
    { event: "expire", from: ["approved", "conditionally_approved"], to: "expired", automatic: true },
    { event: "lapse", from: ["approved", "conditionally_approved"], to: "under_review", automatic: true },
    {
      event: "suspend",
      from: ["unreviewed", "under_review", "approved", "conditionally_approved", "expired"],
      to: "suspended",
      stops: true,
      permission: "ai-governance:suspend",
      asks: true,
      warns: true,
    },
    // After `suspend` and `reject`, which a move to these states means.
    { event: "withdraw_to_suspended", from: ["under_review"], to: "suspended", guards: ["priorState"] },
    { event: "withdraw_to_rejected", from: ["under_review"], to: "rejected", guards: ["priorState"] },
    ...(["unreviewed", "approved", "conditionally_approved", "expired"] as const).map((to) => ({
      event: "reinstate" as const,
      from: ["suspended"] as const,
      to,
      guards: ["priorState"] as const,
      needsReason: true,
      permission: "ai-governance:approve",
      fourEyes: true,
      keepsInvolved: true,
    })),
  ],
});

/** All governance states. */
export const GOVERNANCE_STATES = statesOf(governanceState);

/** What stops an asset. It stands while it is reviewed, until somebody decides. `undefined` when nothing does. */
export function stopOf({
  governanceState: state,
  priorGovernanceState: prior,
}: Pick<Governed, "governanceState" | "priorGovernanceState">): "suspended" | "rejected" | undefined {
  const standing = state === "under_review" ? prior : state;
  return standing === "suspended" || standing === "rejected" ? standing : undefined;
}

/** Whether this state is an approval. Expiry is not checked. */
export function isApproved(state: string): boolean {
  return state === "approved" || state === "conditionally_approved";
}

/** What tells how long an approval stands. */
export interface Standing {
  readonly governanceState: string;
  readonly approvedUntil: string | null;
  readonly reviewUntil: string | null;
}

/** When an approval ends: by its own end, or because its review was not decided. `null` without either. */
export function expiryOf({ governanceState: state, approvedUntil, reviewUntil }: Standing): string | null {
  if (!isApproved(state)) return null;
  return lapses({ approvedUntil, reviewUntil }) ? reviewUntil : approvedUntil;
}

/** Whether an approval ends by a review that nobody decided in time, before its own end. */
export function lapses({ approvedUntil, reviewUntil }: Pick<Standing, "approvedUntil" | "reviewUntil">): boolean {
  return reviewUntil !== null && (approvedUntil === null || reviewUntil < approvedUntil);
}
