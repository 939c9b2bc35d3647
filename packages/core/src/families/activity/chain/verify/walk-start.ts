import { GENESIS_HASH } from "#store/chain.js";
import type { Reader } from "#store/store.js";
import { chainStart } from "../checkpoints/stored.js";
import { ChainWalk } from "./walk.js";

/** A walk from the start of the chain, or from behind the event with sequence `after` if there is one. */
export async function startOf(reader: Reader, after: number): Promise<ChainWalk | undefined> {
  const start = (await chainStart(reader))?.checkpoint;
  if (start && after <= start.toSeq) return new ChainWalk(start.toSeq, start.headHash);
  if (after === 0) return new ChainWalk(0, GENESIS_HASH);
  const [event] = await reader.scanEvents({ after: after - 1, size: 1 });
  return event?.sequence === after ? new ChainWalk(after, event.eventHash) : undefined;
}
