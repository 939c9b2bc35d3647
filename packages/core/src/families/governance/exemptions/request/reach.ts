import { LIMITS } from "#cel/limits.js";
import { assets } from "#families/estate/index.js";
import { type Finding, findingAt, findings, LIVE_STATUSES, MOST_COVERS, matching } from "#families/findings/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Filters } from "#store/find-query.js";
import type { Reader } from "#store/store.js";
import { selectedAssets } from "../../policies/compile/selectors.js";
import { snapshotsOf, snapshotsOfAssets } from "../../snapshots/take/snapshots.js";
import type { Scope } from "../fields.js";
import { MOST_MATCHED } from "../rules.js";

/** The most findings of one query. They are changed before the next query. */
const BATCH = 500;

/** A scope with its policy and, for a selector, the assets that match. */
export interface Reach {
  readonly policyId: string;
  readonly scope: Scope;
  readonly selected?: ReadonlySet<string>;
}

/**
 * The findings that a scope covers, as stored, in batches. Callers may change them on the way, as long as they still
 * match. With `everyAsset` the selector is ignored, to find those it may have matched earlier.
 */
export async function* findingsIn(
  reader: Reader,
  { policyId, scope, selected }: Reach,
  everyAsset = false,
): AsyncGenerator<readonly Finding[]> {
  if ("fingerprint" in scope) {
    const row = await reader.lookup(findings, "fingerprint", { fingerprint: scope.fingerprint });
    if (row && isLive(row.value) && matching([{ policyId, scope }], row.value).length > 0) yield [row.value];
    return;
  }
  const where: Filters = "assetId" in scope ? { assetId: scope.assetId } : { policyId, status: LIVE_STATUSES };
  for await (const rows of everyPage(reader, findings, { where, size: BATCH })) {
    const found = rows.map(({ value }) => value).filter(isLive);
    const assets = everyAsset ? new Set(found.map(({ assetId }) => assetId)) : selected;
    const within = found.filter(
      (finding) => matching([{ policyId, scope, ...(assets ? { selected: assets } : {}) }], finding).length > 0,
    );
    if (within.length > 0) yield within;
  }
}

const isLive = ({ status }: Finding) => LIVE_STATUSES.includes(status);

/** The reach of a scope at this moment, for a later write. It evaluates a selector before the transaction. */
export async function reachOf(ctx: ReadContext, { policyId, scope }: Reach): Promise<Reach> {
  if (!("selector" in scope)) return { policyId, scope };
  const selected = new Set<string>();
  const asked = new Set<string>();
  const shared = { steps: LIMITS.batchSteps as number };
  for await (const batch of findingsIn(ctx.db, { policyId, scope }, true)) {
    const ids = [...new Set(batch.map(({ assetId }) => assetId))].filter((id) => !asked.has(id));
    for (const id of ids) asked.add(id);
    for (const id of await selectedAssets(ctx, scope.selector, await snapshotsOf(ctx, ids), shared)) selected.add(id);
    requireSteps(shared);
  }
  return { policyId, scope, selected };
}

/** 400 when a selector has used up what it may cost, because what it takes in is not known then. */
function requireSteps({ steps }: { readonly steps: number }): void {
  if (steps >= 0) return;
  const message = `The expression takes more than ${LIMITS.batchSteps} steps over all assets that it is asked of.`;
  throw invalidProperty("/scope/selector/expression", message);
}

/**
 * As `reachOf`, with the assets of the caller that a selector matches without a finding. The exemption takes in what is
 * found on them later, so their owner does not approve it.
 */
export async function reachForApproval(ctx: ReadContext, of: Reach): Promise<Reach> {
  const reach = await reachOf(ctx, of);
  const { scope } = reach;
  if (!("selector" in scope)) return reach;
  const selected = new Set(reach.selected);
  const query = { where: { owner: ctx.principal.userId }, size: BATCH };
  const shared = { steps: LIMITS.batchSteps as number };
  for await (const rows of everyPage(ctx.db, assets, query)) {
    const snapshots = await snapshotsOfAssets(
      ctx,
      rows.map(({ value }) => value),
    );
    for (const id of await selectedAssets(ctx, scope.selector, snapshots, shared)) selected.add(id);
    requireSteps(shared);
  }
  return { ...reach, selected };
}

/** The number of findings in reach. 409 when one exemption may not cover that many. */
export async function matchedIn(reader: Reader, reach: Reach): Promise<number> {
  let matched = 0;
  for await (const batch of findingsIn(reader, reach)) {
    matched += batch.length;
    if (matched > MOST_MATCHED) throw tooMany();
  }
  return matched;
}

/** The error for an exemption that covers too many findings. */
export function tooMany(): ReeveError {
  return notFewEnough(`It takes in more than ${MOST_MATCHED} findings; narrow its scope.`);
}

/** The error when a finding would have more exemptions than it keeps. One more would have no effect. */
export function tooManyOn({ id }: Finding): ReeveError {
  return notFewEnough(`The finding ${id} has ${MOST_COVERS} exemptions already; revoke one that is not needed.`);
}

function notFewEnough(detail: string): ReeveError {
  return new ReeveError("transition_guard_failed", detail, {
    members: { guards: [{ key: "fewEnough", ok: false, detail }] },
  });
}

/** The finding with a fingerprint, as of now. */
export async function findingWith(ctx: ReadContext, fingerprint: string): Promise<Finding | undefined> {
  const row = await ctx.db.lookup(findings, "fingerprint", { fingerprint });
  return row && findingAt(row.value, ctx.now);
}
