import type { Checkpoint } from "#families/options.js";
import type { Reader } from "#store/store.js";
import { chainStart, checkpointsWithin } from "../checkpoints/stored.js";

/** Compares a checkpoint kept elsewhere with the one event that it ends with. `beyond`: the chain ends before it. */
export async function compareCheckpoint(
  reader: Reader,
  { toSeq, headHash }: Checkpoint,
): Promise<"same" | "other" | "beyond"> {
  const [event] = await reader.scanEvents({ after: toSeq - 1, size: 1 });
  if (event?.sequence === toSeq) return event.eventHash === headHash ? "same" : "other";
  const start = await chainStart(reader);
  if (!event && (start?.checkpoint.toSeq ?? 0) < toSeq) return "beyond";
  // The event was pruned, so its own checkpoint stands for it. Those are never deleted: one without its own is of another
  // chain.
  const [kept] = await checkpointsWithin(reader, toSeq, toSeq);
  return kept?.checkpoint.headHash === headHash ? "same" : "other";
}

/** The last sequence of a chain; 0 when it has none. */
export async function headOf(reader: Reader): Promise<number> {
  const { events } = await reader.events({ size: 1 });
  return events[0]?.sequence ?? (await chainStart(reader))?.checkpoint.toSeq ?? 0;
}
