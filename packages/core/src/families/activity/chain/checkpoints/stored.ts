import type { Reader } from "#store/store.js";
import { checkpoints, type StoredCheckpoint } from "../schema.js";

/** The checkpoint that covers the newest events, or the newest up to a sequence, if there is one. */
export async function newestCheckpoint(
  reader: Reader,
  through = Number.MAX_SAFE_INTEGER,
): Promise<StoredCheckpoint | undefined> {
  const order = { by: "toSeq", direction: "desc" } as const;
  const { rows } = await reader.find(checkpoints, { order, range: { through }, size: 1 });
  return rows[0]?.value;
}

/** The last checkpoint whose events may be deleted. The chain starts behind it. */
export async function chainStart(reader: Reader): Promise<StoredCheckpoint | undefined> {
  const order = { by: "toSeq", direction: "desc" } as const;
  const { rows } = await reader.find(checkpoints, { where: { pruned: true }, order, size: 1 });
  return rows[0]?.value;
}

/** Checkpoints whose last sequence is from `from` to `to`, oldest first. At most a thousand. */
export async function checkpointsWithin(
  reader: Reader,
  from: number,
  to: number,
  size = 1_000,
): Promise<StoredCheckpoint[]> {
  const query = { order: { by: "toSeq", direction: "asc" }, range: { from, through: to }, size } as const;
  return (await reader.find(checkpoints, query)).rows.map(({ value }) => value);
}
