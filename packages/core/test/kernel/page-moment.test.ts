import { manyThings, type Thing, thing, things } from "@reeve/testkit";
import { expect, it } from "vitest";
import { systemContext } from "#kernel/operation/system-context.js";
import type { Writer } from "#store/index.js";
import { createMemoryStore } from "#store/memory/memory-store.js";
import { environmentOf } from "../helpers/environment.js";
import { afterList } from "../helpers/failing-store.js";

const NOW = Date.parse("2026-01-05T09:00:00.000Z");
const all = manyThings(6);

it.each<[string, (writer: Writer) => Promise<void>, readonly number[]]>([
  ["comes", (writer) => writer.insert(things, thing(7)), [6, 5, 4, 3, 2, 1]],
  ["goes", (writer) => writer.remove(things, all[5] as Thing, "now"), [5, 4, 3, 2, 1]],
])(
  "a list that is shown in a view has each row once, when a row %s while a page is read",
  async (_what, change, kept) => {
    const store = createMemoryStore();
    const writer = store.forTenant("t");
    await writer.insertMany(things, all);
    let isFirst = true;
    const changing = afterList(store, async () => {
      if (isFirst) await change(writer);
      isFirst = false;
    });
    const ctx = systemContext(environmentOf({ store: changing, clock: { now: () => NOW } }), "t", "list");
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = cursor === undefined ? { size: 2 } : { size: 2, cursor };
      const page = await ctx.page(things, query, {}, ({ id }) => id);
      seen.push(...(JSON.parse(page.items) as string[]));
      cursor = page.nextCursor;
    }
    const held = kept.map((n) => thing(n).id);
    expect(seen.filter((id) => held.includes(id))).toEqual(held);
  },
);
