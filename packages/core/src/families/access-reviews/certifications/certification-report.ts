import { canonical } from "#kernel/events/canonical.js";
import type { Context } from "#kernel/operation/context.js";
import { countsNow } from "#kernel/operation/numbers.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { sha256 } from "#store/chain.js";
import { repeat } from "./create/repeat.js";
import { type CertificationItem, certificationItems } from "./items/schema.js";
import { certificationStatus } from "./machine.js";
import { type Certification, type CertificationRun, certifications } from "./schema.js";
import { BATCH, cursorOf, fromCursor, goOn, held } from "./work/continue.js";

/** What the report says of an item. */
const lineOf = ({ id, assignmentId, status, outcome, silent, snapshot, decisions }: CertificationItem) =>
  canonical([id, assignmentId, status, outcome, silent, snapshot.scopeHash, decisions]);

/** The hash of a report with more items, in the order in which the list of items shows them from its end. */
export function digestWith(digest: string, items: readonly CertificationItem[]): string {
  return items.reduce((before, item) => sha256(`${before}\n${lineOf(item)}`), digest);
}

/** Hashes what became of each item, some at a time, and completes the campaign after the last. */
export function report(ctx: OutsideContext, seen: CertificationRun): Promise<CertificationRun> {
  return ctx.write(async (inner) => {
    const { run, campaign, lease } = await held(inner, seen);
    const found = await inner.db.find(certificationItems, {
      where: { certificationId: campaign.id },
      ...fromCursor(run, BATCH),
    });
    const items = found.rows.map(({ value }) => value);
    const more = { digest: digestWith(run.digest, items), items: run.items + items.length };
    if (found.next) return goOn(inner, run, { ...more, cursor: cursorOf(found), dueAt: lease });
    await complete(inner, campaign, more);
    return goOn(inner, run, { ...more, phase: "over", cursor: null, dueAt: null });
  });
}

async function complete(ctx: Context, campaign: Certification, { digest, items }: { digest: string; items: number }) {
  const outcomes = countsOf(campaign.id, await countsNow(ctx, certificationItems, "standing"));
  const report = { items, outcomes, itemsHash: digest, generatedAt: ctx.now };
  const patch = { report, reportHash: sha256(canonical(report)), endedAt: ctx.now };
  const options = { triggeredBy: "system", patch } as const;
  await ctx.transition(certifications, certificationStatus, campaign, { event: "complete" }, options);
  await repeat(ctx, campaign);
}

/** The counts of one campaign among those of all. */
export function countsOf(id: string, standings: ReadonlyMap<string, number>): Record<string, number> {
  const own = [...standings].filter(([standing, count]) => count > 0 && standing.startsWith(`${id} `));
  return Object.fromEntries(own.map(([standing, count]) => [standing.slice(id.length + 1), count]).sort());
}
