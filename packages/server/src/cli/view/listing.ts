import type { ExitCode, Invocation } from "../command.js";
import { type Column, tableOf } from "./table.js";

/** What each list takes. */
export interface ListOptions {
  readonly limit?: string;
}

interface Listed<Item> {
  readonly items: Item[];
  readonly totalItems: number;
  readonly totalRelation: string;
}

/** Prints the first items of a list, and says how many more there are. */
export async function printList<Item extends object>(
  { output }: Invocation,
  pages: AsyncGenerator<Listed<Item>, void, undefined>,
  { limit, what, columns }: { limit: number; what: string; columns: readonly Column<Item>[] },
): Promise<ExitCode> {
  const items: Item[] = [];
  let total = "";
  for await (const page of pages) {
    items.push(...page.items);
    total = `${page.totalRelation === "atLeast" ? "at least " : ""}${page.totalItems}`;
    if (items.length >= limit) break;
  }
  const shown = items.slice(0, limit);
  output.list(shown, shown.length === 0 ? [] : tableOf(shown, columns, output.width));
  const more = items.length > limit || total !== String(shown.length);
  output.print(more ? `${shown.length} of ${total} ${what}; --limit <number> shows more` : `${total || 0} ${what}`);
  return 0;
}

/** The size of pages that a limit takes. */
export const sizeFor = (limit: number) => Math.min(limit, 100);

/** Values of a filter by commas. */
export const valuesOf = (text: string | undefined) =>
  text === undefined ? undefined : text.split(",").map((value) => value.trim());
