import { sha256 } from "#store/chain.js";
import { EventLoopYielder } from "#store/event-loop.js";
import type { ImportItemRecord } from "../schema.js";

/** The hash of an empty plan. */
export const EMPTY_PLAN = sha256("");

type Line = Pick<ImportItemRecord, "assetType" | "externalId" | "action" | "assetId" | "content">;

/** The hash of a plan with more lines, so that a plan is hashed in the order in which it grows. */
export async function digestWith(digest: string, lines: readonly Line[]): Promise<string> {
  const yielder = new EventLoopYielder();
  let sum = digest;
  for (const { assetType, externalId, action, assetId, content } of lines) {
    if (yielder.isDue) await yielder.pass();
    sum = sha256(JSON.stringify([sum, assetType, externalId, action, assetId, content]));
  }
  return sum;
}
