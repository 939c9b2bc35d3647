import { type Connector, NO_TRAIL, type ObservedGrant, type Page, walk } from "#connectors/index.js";
import { accessReconciliations, contradictAll, noteShown } from "#families/access-grants/index.js";
import { connectorCalls, incompleteWith, leftOutWith } from "#families/connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { noteDrift } from "../../drift/note-drift.js";
import { continueScan, counted, toNextPhase } from "../continue-scan.js";
import { type AccessDriftScan, accessDriftScanRuns, type DriftScanRun } from "../schema.js";
import { compare } from "./compare.js";
import { type ListedGrant, readGrant } from "./read.js";

/** Pages that one step reads. Another step, perhaps of another process, goes on after them. */
const PAGES = 10;
const PAGE_SIZE = 200;

const UNUSABLE = "Its resource, its principal or its profile cannot be kept.";

/** The target of a scan. */
export interface ScanTarget {
  readonly instanceId: string;
  readonly connector: Connector;
}

/** Reads some pages of grants, and compares each. Rejects with `ConnectorError`; what was found stays. */
export async function readGrants(
  ctx: OutsideContext,
  run: DriftScanRun,
  { instanceId, connector }: ScanTarget,
): Promise<DriftScanRun> {
  const { tenantId } = ctx.principal;
  const call = { tenantId, instanceId, capability: "observe", correlationId: run.scanId } as const;
  const list = (page: Parameters<NonNullable<Connector["listGrants"]>>[2]) =>
    ctx.env
      .use(connectorCalls)
      .call(
        { ...call, idempotencyKey: `${run.scanId} ${page.cursor ?? ""}` },
        (on, to) => on.listGrants?.(to, {}, page) as Promise<Page<ObservedGrant>>,
      );
  let [current, pages] = [run, 0];
  const start = { cursor: run.cursor, trail: run.trail ?? NO_TRAIL, limit: PAGE_SIZE };
  for await (const listed of walk(list, start)) {
    current = await ctx.write((inner) =>
      continueScan(inner, current, async (scan, lease) => {
        const { unusable, foreign, found } = await storePage(inner, scan, connector, listed.items);
        const rejected = [...listed.rejected, ...Array.from({ length: unusable }, () => ({ reason: UNUSABLE }))];
        const more = { pages: 1, listed: listed.items.length, rejected: rejected.length, foreign, found };
        const reported = await counted(inner, scan, more, {
          complete: listed.complete && scan.counts.rejected + rejected.length === 0,
          incompleteBecause: incompleteWith(scan.incompleteBecause, { ...listed, rejected: rejected.length }),
          leftOut: leftOutWith(scan.leftOut, { ...listed, rejected }),
        });
        if (listed.cursor === null) return toNextPhase(inner, reported, current, lease);
        const { cursor, trail } = listed;
        return inner.update(accessDriftScanRuns, current, { cursor, trail, attempts: 0, dueAt: lease });
      }),
    );
    pages += 1;
    if (listed.cursor === null || pages === PAGES) break;
  }
  return current;
}

/** Keeps what a page of grants comes to. What comes from elsewhere, such as a group, is granted there. */
async function storePage(
  ctx: Context,
  scan: AccessDriftScan,
  { manifest }: Connector,
  listed: readonly ObservedGrant[],
): Promise<{ unusable: number; foreign: number; found: number }> {
  const grants = listed.map(readGrant).filter((one): one is ListedGrant => one !== undefined);
  const direct = grants.filter(({ source }) => source === "direct");
  const { present, shown, observations, lingering, foreign } = await compare(ctx, scan, manifest.expiry, direct);
  const reconciliations = new Map([...shown, ...present].map((reconciliation) => [reconciliation.id, reconciliation]));
  const isThere = { present: new Set(present.map(({ id }) => id)), shown: new Set(shown.map(({ id }) => id)) };
  for (const reconciliation of reconciliations.values()) {
    const noted = isThere.shown.has(reconciliation.id) ? await noteShown(ctx, reconciliation, "sync") : reconciliation;
    if (isThere.present.has(reconciliation.id) && noted.listedBy !== scan.id)
      await ctx.update(accessReconciliations, noted, { listedBy: scan.id });
  }
  await contradictAll(ctx, lingering);
  const noted = await noteDrift(ctx, observations, { scanId: scan.id, detectedBy: "scan" });
  return { unusable: listed.length - grants.length, foreign, found: noted.length };
}
