import { agents, assets, halts, identities, tools } from "#families/estate/index.js";
import { defineFollower, type Follower } from "#kernel/operation/area.js";
import type { Collection } from "#kernel/records/collection.js";
import { isSame } from "#kernel/records/is-same.js";
import type { StoredRecord } from "#store/collection.js";
import { signalChange } from "./control.js";

/** Tells running sessions and decisions of changes in these fields, and of deletions. New records hold nobody back. */
function signalling<R extends StoredRecord>(collection: Collection<R>, ...fields: readonly (keyof R)[]): Follower {
  const differ = (before: R, after: R) => fields.some((field) => !isSame(before[field], after[field]));
  return defineFollower<R>(collection, async (ctx, { before, after }) => {
    if (before && (!after || differ(before, after))) await signalChange(ctx);
  });
}

const ASSET_FIELDS = [
  ...(["status", "governanceState", "environment", "approvedUntil"] as const),
  ...(["riskTier", "conditions", "team", "relations"] as const),
];

/** What sessions of agents and decisions depend on, so that both hear of it as fast as of a termination. */
export const followDependencies: readonly Follower[] = [
  signalling(assets, ...ASSET_FIELDS),
  signalling(agents, "modelIds", "toolIds", "mcpServerIds", "identityId"),
  signalling(identities, "status", "agentIds"),
  defineFollower(halts, signalChange),
  signalling(tools, "status", "serverId", "requiresApproval"),
];
