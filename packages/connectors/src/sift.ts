import type { LeftOutPart, RejectedItem } from "@reeve/core/connectors";
import { z } from "zod";
import { Text } from "./fields.js";
import { Parts } from "./parts.js";

/** The members of a record as the target gave them, not yet checked. */
export type Members = Readonly<Record<string, unknown>>;
export const Members = z.record(z.string(), z.unknown());

/** What of a target's list can be used. */
export interface Sifted<T> {
  readonly items: readonly T[];
  readonly rejected: readonly RejectedItem[];
  readonly warnings: readonly LeftOutPart[];
}

/** Why a record is rejected that cannot be told from others. */
const NO_ID = "It has no id that can be kept.";
const TWICE = "It is listed twice.";

/**
 * Reads records one by one. One without a usable id or with the id of a record before is rejected; any other is what
 * `read` makes of it, with a warning for each part that `parts` was told to leave out.
 */
export function sift<T>(
  given: readonly unknown[],
  read: (id: string, record: Members, parts: Parts) => T,
  { idMember = "id", longest = 500 }: { readonly idMember?: string; readonly longest?: number } = {},
): Sifted<T> {
  const [items, rejected, warnings, seen] = [[] as T[], [] as RejectedItem[], [] as LeftOutPart[], new Set<string>()];
  for (const one of given) {
    const record = Members.safeParse(one).data;
    const id = Text(longest).safeParse(record?.[idMember]).data;
    if (!record || id === undefined) rejected.push({ ...reportedBy(record?.[idMember]), reason: NO_ID });
    else if (seen.has(id)) rejected.push({ externalId: id, reason: TWICE });
    else {
      seen.add(id);
      const parts = new Parts();
      items.push(read(id, record, parts));
      warnings.push(...parts.of(id));
    }
  }
  return { items, rejected, warnings };
}

/** An id that cannot be used, for whoever looks for it in the target. */
const reportedBy = (id: unknown): Pick<RejectedItem, "externalId"> =>
  (typeof id === "string" && id !== "") || typeof id === "number" ? { externalId: String(id).slice(0, 500) } : {};

/** A text that says yes or no, as some providers write it. */
export const Flag = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(true|false)$/i)
    .transform((text) => text.toLowerCase() === "true"),
]);
