import { GENESIS_HASH } from "#store/chain.js";
import type { Reader } from "#store/store.js";
import { requireBounds } from "./bounds.js";
import { Comparison } from "./comparison.js";
import type { ChainVerification, VerifyOptions } from "./verification.js";
import { startOf } from "./walk-start.js";

const BATCH = 1_000;

/**
 * Verifies a tenant's chain in bounded memory: sequences without gaps, links, hashes of attributes and of data not
 * erased, and checkpoints. A pruned chain starts behind its last pruned checkpoint. Events cut off after the newest
 * known checkpoint go unnoticed; compare `headHash` with one kept elsewhere.
 */
export async function verifyChain(reader: Reader, options: VerifyOptions = {}): Promise<ChainVerification> {
  requireBounds({ after: options.after, limit: options.limit });
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const after = options.after ?? 0;
  const walk = await startOf(reader, after);
  if (!walk) return notThere(after);
  const from = walk.sequence;
  const comparison = new Comparison(reader, options);
  const report = (complete: boolean, fault: ChainVerification["fault"]): ChainVerification => ({
    valid: fault === null,
    checked: walk.sequence - from,
    from,
    to: walk.sequence,
    headHash: walk.hash,
    checkpoints: comparison.compared,
    signedTo: comparison.signedTo,
    complete,
    fault,
  });
  const gone = await comparison.ofPruned(after, from);
  if (gone) return report(false, gone);
  await comparison.reach(from - 1, from);
  await comparison.before(from);
  const atStart = comparison.fault(from, walk.hash) ?? (await comparison.unsigned(from));
  if (atStart !== undefined) return report(false, { sequence: from, reason: atStart });
  while (walk.sequence - from < limit) {
    const at = walk.sequence;
    const events = await reader.scanEvents({ after: at, size: Math.min(BATCH, limit - (at - from)) });
    if (events.length === 0) break;
    await comparison.reach(at, at + events.length);
    for (const event of events) {
      const sequence = walk.sequence + 1;
      const reason = walk.step(event) ?? comparison.fault(sequence, walk.hash);
      if (reason !== undefined) return report(false, { sequence, reason });
    }
  }
  const complete = (await reader.scanEvents({ after: walk.sequence, size: 1 })).length === 0;
  const cut = complete ? ((await comparison.cutOff(walk.sequence)) ?? comparison.notReached()) : undefined;
  return report(complete, cut === undefined ? null : { sequence: walk.sequence + 1, reason: cut });
}

/** What is said of a chain that lacks the event behind which to start. It was there when somebody came so far. */
function notThere(after: number): ChainVerification {
  const fault = { sequence: after, reason: "the end is missing: there is no such event" };
  const place = { from: after, to: after, headHash: GENESIS_HASH };
  return { valid: false, checked: 0, ...place, checkpoints: 0, signedTo: null, complete: false, fault };
}
