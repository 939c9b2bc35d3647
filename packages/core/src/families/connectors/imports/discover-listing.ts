import { ConnectorError, type DiscoveredAsset, type Page, type PageRequest, walk } from "#connectors/index.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { incompleteWith, leftOutWith } from "./listing-fields.js";
import { digestWith } from "./plan/digest.js";
import { planPage } from "./plan/page.js";
import { countsWith } from "./rules.js";
import {
  type ConnectorImport,
  connectorImportItems,
  connectorImportRuns,
  connectorImports,
  type ImportRun,
} from "./schema.js";
import { continueRun } from "./step/continue.js";

/** Pages that one step reads. Another step, perhaps of another process, goes on after them. */
const PAGES = 10;
const PAGE_SIZE = 200;

/** How the target is listed. */
export type Lister = (page: PageRequest) => Promise<Page<DiscoveredAsset>>;

/** A connected system to list. */
export interface System {
  readonly name: string;
  /** Which one it is, whatever it is called here. */
  readonly target: string;
  readonly list: Lister;
}

/**
 * Reads some pages of a listing, and stores each with the plan for it. Rejects with `ConnectorError` when the target
 * fails; what was stored stays, and the next step goes on from there.
 */
export async function readListing(ctx: OutsideContext, run: ImportRun, system: System): Promise<ImportRun> {
  let [current, pages] = [run, 0];
  const start = { cursor: run.cursor, trail: run.trail, limit: PAGE_SIZE };
  for await (const page of walk(system.list, start)) {
    const { cursor, trail } = page;
    current = await ctx.write((inner) =>
      continueRun(inner, current, async (job: ConnectorImport, lease) => {
        const planned = await planPage(inner, job, system, page);
        const lines = await inner.insertMany(connectorImportItems, planned.drafts, { event: false });
        const rejected = [...page.rejected, ...planned.rejected];
        const counts = countsWith(job.counts, lines, rejected.length);
        const reported = {
          counts,
          leftOut: leftOutWith(job.leftOut, { ...page, rejected }),
          incompleteBecause: incompleteWith(job.incompleteBecause, { ...page, rejected: rejected.length }),
          // An entry that cannot be used may be of something that is known.
          ...(page.complete && counts.rejected === 0 ? { complete: true } : {}),
        };
        await inner.update(connectorImports, job, reported, { event: false });
        const digest = await digestWith(current.digest, lines);
        const next = cursor === null ? ({ phase: "missing", cursor: null } as const) : { cursor };
        return inner.update(connectorImportRuns, current, {
          digest,
          trail,
          ...next,
          attempts: 0,
          dueAt: lease,
        });
      }),
    );
    pages += 1;
    if (cursor === null || pages === PAGES) return current;
  }
  throw new ConnectorError("invalid", "The target's listing has no end.", { code: "no_last_page" });
}
