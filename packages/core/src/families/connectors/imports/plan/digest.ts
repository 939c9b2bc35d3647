import { sha256 } from "#kernel/events/chain.js";
import type { ImportItemRecord } from "../schema.js";

/** The hash of an empty plan. */
export const EMPTY_PLAN = sha256("");

type Line = Pick<ImportItemRecord, "assetType" | "externalId" | "action" | "assetId" | "content">;

/** The hash of a plan with more lines, so that a plan is hashed in the order in which it grows. */
export function digestWith(digest: string, lines: readonly Line[]): string {
  return lines.reduce(
    (before, { assetType, externalId, action, assetId, content }) =>
      sha256(JSON.stringify([before, assetType, externalId, action, assetId, content])),
    digest,
  );
}
