import type { Reader } from "@reeve/core/store";
import { expect } from "vitest";
import { ids, idsOf, successor, ticket } from "../builders.js";
import { tickets } from "../collections.js";
import type { CaseGroup } from "../contract.js";
import { texts } from "./text.js";

const { "decomposed letters": decomposed, ...others } = texts;
const HOSTILE = [
  ...Object.values(others),
  "x".repeat(200),
  "nothing\u0000",
  "lone \ud800",
  ",",
  '","',
  '"',
  "\n",
  "[]",
];
const BATCH = 10;

const found = async (as: Reader, tags: string | null | readonly (string | null)[]) =>
  ids(await as.find(tickets, { where: { tags }, size: 99 }));

export const textsFilterCases: CaseGroup = {
  "every text is found among others by itself and by nothing else": async (c) => {
    const all = HOSTILE.map((text, n) => ticket(n + 1, { tags: [`before ${n}`, text, `after ${n}`] }));
    const twin = c.tenant();
    for (const as of [c.owner, twin])
      for (let start = 0; start < all.length; start += BATCH)
        await as.insertMany(tickets, all.slice(start, start + BATCH));
    for (const as of [c.owner, twin]) {
      const hits: string[][] = [];
      for (const text of HOSTILE) hits.push(await found(as, text));
      expect(hits).toEqual(all.map(({ id }) => [id]));
    }
    for (const text of HOSTILE) expect(await found(c.stranger, text)).toEqual([]);
    expect(await found(c.owner, HOSTILE.slice(0, 3))).toEqual(idsOf(all.slice(0, 3)).reverse());
  },
  "no part, pattern or case of a text finds it, but each normal form does": async (c) => {
    await c.owner.insertMany(tickets, [
      ticket(1, { tags: ["Straße", "a_b", "100%", "é"] }),
      ticket(2, { tags: ["a", "b"] }),
    ]);
    const unlike = ["stra", "straße", "STRASSE", "aXb", "a%", "_", "100", "%", "e", "", "A"];
    const joined = ["a\nb", 'a"\n"b', '"a"', "a,b", "ab", "\n", '"\n"', '\n"a"\n'];
    for (const text of [...unlike, ...joined]) expect(await found(c.owner, text), JSON.stringify(text)).toEqual([]);
    expect(await found(c.owner, ["nothing", ...unlike, "b"])).toEqual([ticket(2).id]);
    expect(await found(c.owner, decomposed ?? "")).toEqual([ticket(1).id]);
  },
  "a record without any is found by null alone, one with an empty text by that": async (c) => {
    const [none, empty, both] = [ticket(1), ticket(2, { tags: [""] }), ticket(3, { tags: ["a", ""] })];
    await c.owner.insertMany(tickets, [none, empty, both]);
    expect(await found(c.owner, null)).toEqual([none.id]);
    expect(await found(c.owner, "")).toEqual(idsOf([both, empty]));
    expect(await found(c.owner, [null, "a"])).toEqual(idsOf([both, none]));
  },
  "a record is found by the texts that it has, not by those it had": async (c) => {
    const before = ticket(1, { tags: ["old", "kept"] });
    const removed = ticket(2, { tags: ["old"] });
    const twin = c.tenant();
    for (const as of [c.owner, twin]) await as.insertMany(tickets, [before, removed]);
    await c.owner.replace(tickets, successor(before, { tags: ["kept", "new"] }), before);
    await c.owner.remove(tickets, removed, "2026-02-01T00:00:00.000Z");
    const ask = async (as: Reader) => [await found(as, "old"), await found(as, "kept"), await found(as, "new")];
    expect(await ask(c.owner)).toEqual([[], [before.id], [before.id]]);
    expect(await ask(twin)).toEqual([idsOf([removed, before]), [before.id], []]);
  },
  "a text that stands twice is one": async (c) => {
    await c.owner.insert(tickets, ticket(1, { tags: ["a", "a"] }));
    const listed = await c.owner.list(tickets, { where: { tags: "a" }, size: 9 });
    expect(listed).toMatchObject({ count: 1, total: { count: 1, exact: true } });
  },
  "what is no list of texts is refused": async (c) => {
    for (const tags of ["a", [1], [null], null])
      await expect(c.owner.insert(tickets, ticket(1, { tags: tags as unknown as string[] }))).rejects.toThrow(
        TypeError,
      );
    expect(await c.owner.count(tickets)).toEqual({ count: 0, exact: true });
  },
};
