import { expect } from "vitest";
import { idOf, ids, idsOf, setting, thing } from "../builders.js";
import { settings, type Thing, things } from "../collections.js";
import { asOwnerAndStranger, type Case, type CaseGroup } from "../contract.js";

export const valueCases: CaseGroup = {
  "zero is a number and not nothing": foundBy("size", [0, null, 1]),
  "negative numbers": foundBy("size", [-1, 1, -2]),
  "the greatest safe integer": foundBy("size", [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, 0]),
  "the least safe integer": foundBy("size", [Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER + 1, 0]),
  "an integer beyond 32 bits": foundBy("size", [2 ** 31, 2 ** 31 - 1, 2 ** 32]),
  "true is not false and not nothing": foundBy("active", [true, false, null]),
  "false is not nothing": foundBy("active", [false, true, null]),
  "null is found by null": foundBy("active", [null, false, true]),
  "a time to the millisecond": foundBy("dueAt", [
    "2026-02-28T23:59:59.999Z",
    "2026-02-28T23:59:59.998Z",
    "2026-03-01T00:00:00.000Z",
  ]),
  "a time before the epoch": foundBy("dueAt", ["1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00.000Z", null]),
  "a time in the far future": foundBy("dueAt", ["9999-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z", null]),
  "a field read off the record by a function": async (c) => {
    await asOwnerAndStranger(c, {
      given: [thing(1, { keeper: { id: "usr_1" } }), thing(2, { keeper: { id: "usr_2" } }), thing(3)],
      ask: async (as) => [
        ids(await as.find(things, { where: { keeperId: "usr_2" }, size: 9 })),
        ids(await as.find(things, { where: { keeperId: null }, size: 9 })),
      ],
      owner: [[idOf("thg", 2)], [idOf("thg", 3)]],
      stranger: [[], []],
    });
  },
  "numbers are ordered as numbers": async (c) => {
    const sizes = [Number.MIN_SAFE_INTEGER, -10, -9, 0, 2, 10, 100, Number.MAX_SAFE_INTEGER];
    const all = sizes.map((size, n) => thing(n + 1, { size }));
    await asOwnerAndStranger(c, {
      given: [...all].reverse(),
      ask: async (as) => ids(await as.find(things, { order: { by: "size", direction: "asc" }, size: 99 })),
      owner: idsOf(all),
      stranger: [],
    });
  },
  "null is ordered behind every value": async (c) => {
    const all = [-1, 0, 1, null, null].map((size, n) => thing(n + 1, { size }));
    await asOwnerAndStranger(c, {
      given: all,
      ask: async (as) => [
        ids(await as.find(things, { order: { by: "size", direction: "asc" }, size: 99 })),
        ids(await as.find(things, { order: { by: "size", direction: "desc" }, size: 99 })),
      ],
      owner: [idsOf(all), idsOf([...all].reverse())],
      stranger: [[], []],
    });
  },
  "values without a column come back as they were": async (c) => {
    const values = [
      0,
      -0.5,
      1e21,
      1e-7,
      0.1 + 0.2,
      123456789012345,
      true,
      false,
      null,
      "",
      [],
      {},
      [[null]],
      { a: { b: [] } },
    ];
    await c.owner.insert(settings, setting("all", values));
    const row = await c.owner.get(settings, "all");
    expect(row?.value.value).toEqual(values);
    expect(row?.text).toBe(JSON.stringify(setting("all", values)));
  },
  "a deep value comes back as it was": async (c) => {
    let deep: unknown = "bottom";
    for (let n = 0; n < 100; n++) deep = n % 2 === 0 ? [deep] : { deep };
    await c.owner.insert(settings, setting("deep", deep));
    expect((await c.owner.get(settings, "deep"))?.value.value).toEqual(deep);
  },
  "a member called __proto__ stays a member": async (c) => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}') as unknown;
    await c.owner.insert(settings, setting("proto", value));
    expect((await c.owner.get(settings, "proto"))?.text).toContain('"__proto__":{"polluted":true}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  },
  "a record of 200 KiB comes back as it was": async (c) => {
    const record = setting(
      "large",
      Array.from({ length: 4_000 }, (_, n) => `entry ${n} ${"ü".repeat(20)}`),
    );
    await c.owner.insert(settings, record);
    expect((await c.owner.get(settings, "large"))?.text).toBe(JSON.stringify(record));
  },
};

/** Stores one thing per value and finds the first. */
function foundBy<F extends "size" | "active" | "dueAt">(field: F, values: readonly Thing[F][]): Case {
  return (c) =>
    asOwnerAndStranger(c, {
      given: values.map((value, n) => thing(n + 1, { [field]: value })),
      ask: async (as) => {
        const found = await as.find(things, { where: { [field]: values[0] as Thing[F] }, size: 9 });
        return found.rows.map((row) => [row.id, row.value[field]]);
      },
      owner: [[idOf("thg", 1), values[0]]],
      stranger: [],
    });
}
