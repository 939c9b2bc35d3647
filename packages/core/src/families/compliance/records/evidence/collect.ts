import { knownSubject } from "#families/activity/index.js";
import { evaluationRuns, snapshotsOf } from "#families/governance/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { sha256 } from "#store/chain.js";
import type { EvidenceItem, GivenEvidence } from "../fields.js";

/** What was collected: its digest, its numbers, and when it was so. */
type Collected = Pick<EvidenceItem, "digest" | "counts" | "collectedAt">;

/** The most events of one query. */
const MOST_EVENTS = 100;

/**
 * The content of a piece of evidence. Results, snapshots and events are collected here, from what `ref` names. 400 when
 * there is no such thing, or the caller gives what is collected.
 */
export async function collected(ctx: ReadContext, given: GivenEvidence, pointer: string): Promise<Collected> {
  const { type, digest, collectedAt } = given;
  if (type === "document" && digest === null)
    throw invalidProperty(`${pointer}/digest`, "A document has the SHA-256 of what it says.");
  if (type === "document" || type === "attestation")
    return { digest, counts: null, collectedAt: collectedAt ?? ctx.now };
  for (const name of ["digest", "collectedAt"] as const)
    if (given[name] !== null && given[name] !== undefined)
      throw invalidProperty(`${pointer}/${name}`, "It is collected here, and not given.");
  const found = await COLLECT[type](ctx, given.ref);
  if (!found) throw invalidProperty(`${pointer}/ref`, ABSENT[type], "invalid_reference");
  return found;
}

type Collects = Exclude<GivenEvidence["type"], "document" | "attestation">;

const ABSENT = {
  policy_result: "It is the id of no evaluation run that has completed and had results.",
  config_snapshot: "It is the id of no asset.",
  event_query: "It is the id of nothing that events tell of.",
} as const satisfies Record<Collects, string>;

const COLLECT: Readonly<Record<Collects, (ctx: ReadContext, ref: string) => Promise<Collected | undefined>>> = {
  async policy_result(ctx, ref) {
    const run = (await ctx.db.get(evaluationRuns, ref))?.value;
    if (!run || run.finishedAt === null || run.dryRun || !run.status.startsWith("completed")) return undefined;
    // A run that had nothing to judge has shown nothing.
    if (run.counts.pass + run.counts.fail === 0) return undefined;
    const { id, policySetDigest, engine, scope, counts, startedAt, finishedAt } = run;
    const content = { id, policySetDigest, engine, scope, counts, startedAt, finishedAt };
    return { digest: sha256(canonical(content)), counts: { ...counts }, collectedAt: startedAt ?? finishedAt };
  },
  async config_snapshot(ctx, ref) {
    const snapshot = (await snapshotsOf(ctx, [ref])).get(ref);
    return snapshot && { digest: snapshot.digest, counts: null, collectedAt: ctx.now };
  },
  async event_query(ctx, ref) {
    const subject = await knownSubject(ctx, ref, MOST_EVENTS);
    if (!subject) return undefined;
    const { events, total } = subject.newest;
    const digest = sha256(canonical(events.map(({ eventHash }) => eventHash)));
    return { digest, counts: { events: events.length, inAll: total.count }, collectedAt: ctx.now };
  },
};
