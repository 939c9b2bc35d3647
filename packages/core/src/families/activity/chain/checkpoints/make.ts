import type { Checkpoint } from "#families/options.js";
import { optionsOf } from "#families/options.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { hoursMs } from "#ports/durations.js";
import { GENESIS_HASH } from "#store/chain.js";
import { inTurns } from "#store/event-loop.js";
import type { Reader } from "#store/store.js";
import { CHAIN_ENTITY, CHAIN_SUBJECT, isOfMaintenance } from "../events.js";
import { checkpoints } from "../schema.js";
import { ChainWalk } from "../verify/walk.js";
import { checkpointKeyOf, signedCheckpoint } from "./checkpoint.js";
import { type GrowingHistory, historyOf } from "./history.js";
import { IndexTree } from "./index-tree.js";
import { MerkleTree } from "./merkle.js";
import { newestCheckpoint } from "./stored.js";

/** The most events of one checkpoint. This many make one due at any time. */
export const CHECKPOINT_EVENTS = 10_000;
/** The most checkpoints made for one tenant in one tick. */
const AT_ONCE = 10;
const BATCH = 500;

const signingKey = defineService("activity.checkpointKey", (env) => {
  const { checkpointKey } = optionsOf(env);
  return checkpointKey === undefined ? undefined : checkpointKeyOf(checkpointKey);
});

/** The private key that signs checkpoints of this control plane, if it is configured. */
export function checkpointKey(env: Environment) {
  return env.use(signingKey);
}

/**
 * Makes the checkpoints that are due and returns how many. Each continues the one before. A chain that does not verify
 * gets none: the fault is logged, and its events are never pruned.
 */
export async function makeCheckpoints(env: Environment, tenantId: string, now: string): Promise<number> {
  const reader = env.store.forTenant(tenantId);
  for (let made = 0; ; made++) {
    if (made === AT_ONCE) return made;
    const newest = await newestCheckpoint(reader);
    const last = newest?.checkpoint;
    const [head] = (await reader.events({ size: 1 })).events;
    const pending = (head?.sequence ?? 0) - (last?.toSeq ?? 0);
    const isTime = !last || Date.parse(now) - Date.parse(last.at) >= hoursMs(optionsOf(env).checkpointHours);
    if (pending <= 0 || (pending < CHECKPOINT_EVENTS && !isTime)) return made;
    const content = await summed(env, reader, last, Math.min(pending, CHECKPOINT_EVENTS), now);
    if (!content) return made;
    const before = await historyOf(reader, newest);
    const checkpoint = signedCheckpoint({ ...content, history: before.history }, checkpointKey(env));
    if (!(await keep(env, tenantId, before, checkpoint))) return made;
  }
}

/**
 * The checkpoint over the next events. `undefined` when they do not verify, or when all come from maintenance of the
 * chain.
 */
async function summed(
  env: Environment,
  reader: Reader,
  last: Checkpoint | undefined,
  count: number,
  at: string,
): Promise<Checkpoint | undefined> {
  const walk = new ChainWalk(last?.toSeq ?? 0, last?.headHash ?? GENESIS_HASH);
  const fromSeq = walk.sequence + 1;
  const end = walk.sequence + count;
  const [hashes, index]: [string[], IndexTree] = [[], new IndexTree()];
  let worthwhile = count === CHECKPOINT_EVENTS;
  while (walk.sequence < end) {
    const events = await reader.scanEvents({ after: walk.sequence, size: Math.min(BATCH, end - walk.sequence) });
    for (const event of events) {
      const sequence = walk.sequence + 1;
      const reason = walk.step(event);
      if (reason !== undefined) {
        env.logger.error({ tenantId: reader.tenantId, sequence, reason }, "the event chain does not verify");
        return undefined;
      }
      hashes.push(event.eventHash);
      index.add(event);
      worthwhile ||= !isOfMaintenance(event);
    }
    if (events.length === 0) return undefined;
  }
  if (!worthwhile) return undefined;
  const merkleRoot = (await inTurns(MerkleTree.grown(hashes))).root();
  const covered = { fromSeq, toSeq: walk.sequence, headHash: walk.hash, merkleRoot };
  const listed = { root: await inTurns(index.root()), ...index.times };
  return { format: "reeve-checkpoint/1", chainid: reader.tenantId, ...covered, index: listed, at };
}

/** Stores a checkpoint with its event, unless another process was first. */
function keep(
  env: Environment,
  tenantId: string,
  { history, nodesOf }: GrowingHistory,
  checkpoint: Checkpoint,
): Promise<boolean> {
  return systemContext(env, tenantId, "tick").write(async (ctx) => {
    if ((await newestCheckpoint(ctx.db))?.checkpoint.toSeq !== (checkpoint.fromSeq - 1 || undefined)) return false;
    const id = ctx.newId("ckp");
    await ctx.insert(checkpoints, {
      ...{ id, checkpoint, place: history.size, nodes: nodesOf(checkpoint) },
      // By the time of the tick, which hands it over yet: that of the transaction is later.
      ...{ status: "open", attempts: 0, nextAttemptAt: checkpoint.at, anchoredAt: null, prunedAt: null },
      ...{ timeStamp: null, stampAttempts: 0, nextStampAt: checkpoint.at },
    });
    await ctx.emit({
      type: "audit.checkpoint",
      subject: CHAIN_SUBJECT,
      data: { entity: CHAIN_ENTITY, checkpointId: id, checkpoint: { ...checkpoint } },
    });
    return true;
  });
}
