import { expect } from "vitest";
import { idOf, ids, idsOf, thing } from "../builders.js";
import { settings, things } from "../collections.js";
import { asOwnerAndStranger, type Case, type CaseGroup } from "../contract.js";

/** Texts that some stores change, fold together or execute. */
export const texts: Readonly<Record<string, string>> = {
  "empty text": "",
  "a space": " ",
  "leading and trailing space": "  a b\t",
  newlines: "a\nb\r\nc\rd",
  "an emoji": "😀",
  "an emoji of several code points": "👩‍👩‍👧‍👦🏽",
  "four-byte letters": "𠜎𝔘𐐷",
  "right-to-left text": "שלום \u202Eمرحبا",
  "composed letters": "é",
  "decomposed letters": "e\u0301",
  "a zero-width joiner": "a\u200Db",
  "a byte order mark": "\uFEFFa",
  "the replacement character": "\uFFFD",
  "the last code point": "\u{10FFFF}",
  "control characters": "\u0001\u001F\u007F\u0085",
  "line separators": "a\u2028b\u2029c",
  "a per cent sign": "%",
  "an underscore": "_",
  "a backslash": "\\",
  "a trailing backslash": "a\\",
  "an escape sequence": "\\u0041\\n",
  "single quotes": "it's ''quoted''",
  "double quotes": 'say "hi"',
  "a SQL fragment": "'; DROP TABLE contract_things; --",
  "a SQL comment": "/* a */ -- b",
  "a bind mark": "? $1 :id @id ??",
  "a dollar quote": "$$a$$",
  "braces and JSON": '{"a":[1,2]}',
  "an operator of a text index": '"a" AND b* NEAR(c) OR NOT ^d:e',
  "a number in text": "0012.50",
  "a word for nothing": "null",
  "a long text": "äb".repeat(20_000),
};

export const textCases: CaseGroup = {
  ...Object.fromEntries(Object.entries(texts).map(([what, text]) => [`${what} comes back as it was`, roundTrip(text)])),
  "every text is found by equality and by nothing else": async (c) => {
    const short = Object.values(texts).filter((text) => text.length < 1_000);
    const all = short.map((name, n) => thing(n + 1, { name }));
    await asOwnerAndStranger(c, {
      given: all,
      ask: async (as) => {
        const hits: string[][] = [];
        for (const name of short) hits.push(ids(await as.find(things, { where: { name }, size: 9 })));
        return hits;
      },
      owner: all.map((one) => [one.id]),
      stranger: all.map(() => []),
    });
  },
  "every short text can be a unique key": async (c) => {
    const short = Object.values(texts).filter((text) => text.length < 1_000);
    await asOwnerAndStranger<(string | undefined)[]>(c, {
      given: short.map((slug, n) => thing(n + 1, { slug })),
      ask: async (as) => {
        const hits: (string | undefined)[] = [];
        for (const slug of short) hits.push((await as.lookup(things, "slug", { slug }))?.id);
        return hits;
      },
      owner: short.map((_, n) => idOf("thg", n + 1)),
      stranger: short.map(() => undefined),
    });
  },
  "text is ordered by its bytes": async (c) => {
    const names = [
      "",
      " ",
      "!",
      "A",
      "B",
      "Z",
      "_",
      "a",
      "a ",
      "aa",
      "ab",
      "b",
      "z",
      "~",
      "Ä",
      "é",
      "\uE000",
      "\uFFFD",
      "😀",
      "\u{10FFFF}",
    ];
    const all = names.map((name, n) => thing(n + 1, { name }));
    await asOwnerAndStranger(c, {
      given: [...all].reverse(),
      ask: async (as) => [
        ids(await as.find(things, { order: { by: "name", direction: "asc" }, size: 99 })),
        ids(await as.find(things, { order: { by: "name", direction: "desc" }, size: 99 })),
      ],
      owner: [idsOf(all), idsOf([...all].reverse())],
      stranger: [[], []],
    });
  },
  "ids are ordered by their bytes": async (c) => {
    const wanted = ["A", "B", "Z", "_", "a", "b", "z", "é", "\uFFFD", "😀"];
    await c.owner.insertMany(
      settings,
      [...wanted].reverse().map((id) => ({ id, version: 1, createdAt: "2026-01-01T00:00:00.000Z", value: 0 })),
    );
    expect(ids(await c.owner.scan(settings, { size: 99 }))).toEqual(wanted);
    expect(ids(await c.owner.scan(settings, { after: "Z", size: 3 }))).toEqual(["_", "a", "b"]);
    expect(ids(await c.owner.find(settings, { size: 99 }))).toEqual([...wanted].reverse());
    expect(ids(await c.stranger.scan(settings, { size: 99 }))).toEqual([]);
  },
  "equality minds case": async (c) => {
    const all = ["Ada", "ada", "ADA"].map((name, n) => thing(n + 1, { name }));
    await asOwnerAndStranger(c, {
      given: all,
      ask: async (as) => ids(await as.find(things, { where: { name: "ada" }, size: 9 })),
      owner: [idOf("thg", 2)],
      stranger: [],
    });
  },
  "equality does not normalise": async (c) => {
    const all = ["é", "e\u0301", "e"].map((name, n) => thing(n + 1, { name }));
    await asOwnerAndStranger(c, {
      given: all,
      ask: async (as) => ids(await as.find(things, { where: { name: "e\u0301" }, size: 9 })),
      owner: [idOf("thg", 2)],
      stranger: [],
    });
  },
  "equality minds trailing space": async (c) => {
    const all = ["a", "a ", " a"].map((name, n) => thing(n + 1, { name }));
    await asOwnerAndStranger(c, {
      given: all,
      ask: async (as) => ids(await as.find(things, { where: { name: "a" }, size: 9 })),
      owner: [idOf("thg", 1)],
      stranger: [],
    });
  },
  "empty text is not null": async (c) => {
    await asOwnerAndStranger(c, {
      given: [thing(1, { kind: "" }), thing(2, { kind: null })],
      ask: async (as) => [
        ids(await as.find(things, { where: { kind: "" }, size: 9 })),
        ids(await as.find(things, { where: { kind: null }, size: 9 })),
        [...(await as.countBy(things, "kind"))],
      ],
      owner: [[idOf("thg", 1)], [idOf("thg", 2)], [["", 1]]],
      stranger: [[], [], []],
    });
  },
  "the word null is not null": async (c) => {
    await asOwnerAndStranger(c, {
      given: [thing(1, { kind: "null" }), thing(2, { kind: null })],
      ask: async (as) => [
        ids(await as.find(things, { where: { kind: "null" }, size: 9 })),
        ids(await as.find(things, { where: { kind: null }, size: 9 })),
      ],
      owner: [[idOf("thg", 1)], [idOf("thg", 2)]],
      stranger: [[], []],
    });
  },
};

function roundTrip(text: string): Case {
  return async (c) => {
    const record = thing(1, { name: text.slice(0, 500), note: text, extra: { [text]: [text] } });
    await c.owner.insert(things, record);
    const row = await c.owner.get(things, record.id);
    expect(row?.text).toBe(JSON.stringify(record));
    expect(row?.value).toEqual(record);
    expect(await c.stranger.get(things, record.id)).toBeUndefined();
  };
}
