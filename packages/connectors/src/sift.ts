import type { RejectedItem } from "@reeve/core/connectors";
import type { z } from "zod";

/** What of a target's list has the expected shape. The rest is rejected with `reason`. */
export function sift<T>(given: readonly unknown[], shape: z.ZodType<T>, reason: string) {
  const read = given.map((item) => shape.safeParse(item));
  const rejected: RejectedItem[] = read.flatMap(({ success }) => (success ? [] : [{ reason }]));
  return { items: read.flatMap(({ data }) => (data === undefined ? [] : [data])), rejected };
}

/** Why an item without a usable id or name is rejected. */
export const UNNAMED = "It has no id or no name that can be kept.";
