import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const SEVERITIES = ["critical", "high", "medium", "low"] as const;

/** Something that needs attention. */
export const AttentionItem = z
  .object({
    kind: z.string().meta({ description: "What is up.", example: "approval_expired" }),
    severity: z.enum(SEVERITIES).meta({ description: "How much it matters." }),
    title: z.string().meta({ description: "What is up, in words." }),
    count: z.int().min(1).meta({ description: "How many records it is about." }),
    href: z.string().meta({ description: "Where to look, below the mount path." }),
    at: Time.nullable().meta({ description: "When it came or comes about, where that is one moment." }),
  })
  .meta({ id: "AttentionItem" });
export type AttentionItem = z.output<typeof AttentionItem>;

/** Finds items of a few kinds with a bounded number of queries. */
export interface Source {
  /** The permission without which the items are hidden. */
  readonly permission: string;
  readonly find: (ctx: ReadContext) => Promise<AttentionItem[]>;
}

/** The most severe first, then the earliest. Items without a time come last. */
export function ranked(items: readonly AttentionItem[]): AttentionItem[] {
  const moment = ({ at }: AttentionItem) => at ?? "~";
  const order = (a: AttentionItem, b: AttentionItem) =>
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compare(moment(a), moment(b)) ||
    compare(a.kind + a.href, b.kind + b.href);
  return [...items].sort(order);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
