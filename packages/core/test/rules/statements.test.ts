import { readFileSync } from "node:fs";
import { createWorld, sendSample, table } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import {
  type FieldValue,
  type FindQuery,
  fieldValue,
  type Row,
  type StoredCollection,
  type StoredRecord,
  type Where,
  type Writer,
} from "#store/index.js";
import { PLATFORM_TENANT } from "#testing/index.js";
import { createMemoryStore } from "../../src/index.js";
import { isProviders } from "../helpers/facts.js";
import { emptyStore } from "../helpers/stores.js";

const fixture = new URL("../fixtures/store-witness.json", import.meta.url);
/** What tests were seen to ask about each collection. `npm run tests:witness` writes it. */
const { statements } = JSON.parse(readFileSync(fixture, "utf8")) as { statements: Record<string, readonly string[]> };

const named = new Map((collections as unknown as readonly StoredCollection[]).map((one) => [one.name, one]));
const TENANT = "tnt_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const NOW = "2030-01-01T00:00:00.000Z";

/** Two tenants with the same records, in memory and in the store under test. */
let model: Writer;
let store: Writer;
const rowsOf = new Map<string, readonly StoredRecord[]>();

beforeAll(async () => {
  const world = await createWorld({ store: createMemoryStore(), rateLimits: "off" });
  const { a } = world;
  for (const operation of table.filter(({ access }) => access !== "public"))
    await sendSample(a, operation, isProviders(operation) ? world.provider.owner : await a.newUser(["owner"]));
  model = createMemoryStore().forTenant(TENANT);
  store = (await emptyStore()).forTenant(TENANT);
  const homes = [a.tenantId, world.provider.tenantId, PLATFORM_TENANT].map((id) => world.store.forTenant(id));
  for (const collection of named.values()) {
    const rows = await firstOf(homes.map((home) => home.scan(collection, { size: 200 })));
    const found = rows.map(({ value }) => ({ ...value, version: 1 }));
    const records = found.length > 0 ? found : made(collection);
    rowsOf.set(collection.name, records);
    // One alone goes by the way that tests were seen to take.
    const single = statements[collection.name]?.includes("insertMany") ? 0 : 1;
    const alone = records.slice(0, records.length > 1 ? 1 : single);
    const others = records.slice(alone.length);
    for (const each of [model, store]) {
      for (const record of alone) await each.insert(collection, record);
      if (others.length > 0) await each.insertMany(collection, others);
    }
  }
});

/** The first of these pages that has rows. */
async function firstOf(pages: readonly Promise<readonly Row<StoredRecord>[]>[]): Promise<readonly Row<StoredRecord>[]> {
  return (await Promise.all(pages)).find((rows) => rows.length > 0) ?? [];
}

/** Records of a collection that no sample writes: of its plain fields. None where a field needs more. */
function made(collection: StoredCollection): readonly StoredRecord[] {
  const values = { text: "x", integer: 1, boolean: true, time: NOW, texts: ["x"] } as const;
  const records = [0, 1, 2].map((number) => {
    const id =
      collection.prefix === null ? `made-${number}` : `${collection.prefix}_01ARZ3NDEKTSV4RRFFQ69G5FA${number}`;
    const fields = Object.entries(collection.fields).map(([name, { type }]) => [name, values[type]]);
    const keys = Object.values(collection.unique).flat();
    const own = fields.map(([name, value]) => [
      name,
      keys.includes(name as string) && value === "x" ? `x${number}` : value,
    ]);
    return { ...Object.fromEntries(own), id, version: 1, createdAt: NOW } as StoredRecord;
  });
  try {
    for (const field of Object.keys(collection.fields)) fieldValue(collection, records[0] as StoredRecord, field);
    collection.search?.(records[0] as StoredRecord);
    return records;
  } catch {
    return [];
  }
}

const shown = (rows: readonly ({ readonly text: string } | undefined)[]) => rows.map((row) => row?.text ?? null);

/** A value of a field in some record, or one of its type. `place` chooses among the records. */
function sampleValue(collection: StoredCollection, field: string, place = 0): FieldValue {
  const held = (rowsOf.get(collection.name) ?? [])
    .map((record) => fieldValue(collection, record, field))
    .filter((value) => value !== null);
  const type = field === "createdAt" ? "time" : collection.fields[field]?.type;
  const texts = (value: FieldValue) => (type === "texts" ? (String(value).match(/[\w-]+/)?.[0] ?? "x") : value);
  if (held.length > 0) return texts(held[place % held.length] as FieldValue);
  const byType = { integer: 1, boolean: true, time: NOW } as const;
  return type === "integer" || type === "boolean" || type === "time" ? byType[type] : "x";
}

const other = (value: FieldValue): FieldValue =>
  typeof value === "string" ? `${value}x` : typeof value === "number" ? value + 1 : !value;

/** The query that a statement says, with values of records. */
function queryOf(collection: StoredCollection, said: string): FindQuery & { readonly where: Record<string, never> } {
  const [, where = "", search, by = "", range] =
    /^(?: where (.*?))?(?: search (short|long))?(?: by (.*?))?(?: range (\S*))?$/.exec(said) ?? [];
  const filters = [...where.matchAll(/(\w+)( in|=null|=)/g)].map(([, name = "", kind]) => {
    if (kind === "=null") return [name, null];
    const value = sampleValue(collection, name);
    return [name, kind === "=" ? value : [...new Set([value, sampleValue(collection, name, 1), other(value)])]];
  });
  const order = by === "" ? [] : by.split(", ").map((key) => key.split(" ") as [string, "asc" | "desc"]);
  const at = order[0]?.[0] ?? "createdAt";
  const bounds = !range
    ? []
    : range.split("+").map((bound) => [bound, sampleValue(collection, at, bound === "from" ? 0 : 3)]);
  return {
    where: Object.fromEntries(filters) as Record<string, never>,
    size: 50,
    ...(search === undefined ? {} : { search: search === "short" ? "of" : "zqalpha" }),
    ...(order.length === 0 ? {} : { order: order.map(([name, direction]) => ({ by: name, direction })) }),
    ...(range === undefined ? {} : { range: Object.fromEntries(bounds) as NonNullable<FindQuery["range"]> }),
  };
}

/** The answer of a store to a statement about a collection, or its refusal. */
async function answer(to: Writer, collection: StoredCollection, verb: string, said: string): Promise<unknown> {
  const records = rowsOf.get(collection.name) ?? [];
  const ids = [...records.slice(0, 5).map(({ id }) => id), "absent"];
  const [, key = "", hasNull] = /^\.(\w+)( null)?/.exec(said) ?? [];
  const keyValues = (record: StoredRecord | undefined): Where =>
    Object.fromEntries(
      (collection.unique[key] ?? []).map((field, at) => [
        field,
        hasNull && at === 0 ? null : record ? fieldValue(collection, record, field) : sampleValue(collection, field),
      ]),
    );
  switch (verb) {
    case "get":
      return shown([await to.get(collection, ids[0] as string)]);
    case "getMany":
      return shown(await to.getMany(collection, ids));
    case "lookup":
      return shown([await to.lookup(collection, key, keyValues(records[0]))]);
    case "lookupMany":
      return shown(await to.lookupMany(collection, key, records.slice(0, 3).map(keyValues)));
    case "find": {
      const { rows, next } = await to.find(collection, queryOf(collection, said));
      return [shown(rows), next !== undefined];
    }
    case "list": {
      const { items, total } = await to.list(collection, queryOf(collection, said));
      return [items, total];
    }
    case "count": {
      const { where, search } = queryOf(collection, said);
      return to.count(collection, { where, ...(search === undefined ? {} : { search }) });
    }
    case "countBy":
      return [...(await to.countBy(collection, key))].sort();
    case "findTopPerKey": {
      const values = [...new Set([0, 1, 2].map((place) => String(sampleValue(collection, key, place))))];
      const found = await to.findTopPerKey(collection, { field: key, values, size: 2 });
      return values.map((value) => shown(found.get(value) ?? []));
    }
    case "scan":
      return shown(await to.scan(collection, { size: 100 }));
    case "firstTimes": {
      const { where, order } = queryOf(collection, `${said} asc`);
      const by = (order as { by: string }[])[0]?.by as string;
      return to.firstTimes([{ collection, where, by }]);
    }
    default:
      return `${verb} is no statement of this test`;
  }
}

const settled = (asked: Promise<unknown>) => asked.catch((error: Error) => `refused: ${error.message}`);

describe.each([...named.values()].map((collection) => [collection.name, collection] as const))(
  "%s",
  (name, collection) => {
    it("is read as the store in memory reads it, by each statement that tests were seen to ask", async () => {
      for (const statement of statements[name] ?? []) {
        const [, verb = "", said = ""] = /^(\w+)(.*)$/.exec(statement) ?? [];
        const [expected, actual] = [model, store].map((each) => settled(answer(each, collection, verb, said)));
        expect(await actual, statement).toEqual(await expected);
      }
    });

    it("is written as there", async () => {
      for (const each of [model, store]) {
        const records = rowsOf.get(name) ?? [];
        const [first] = records;
        if (!first) continue;
        const next = { ...first, version: 2 };
        await each.replace(collection, next, first);
        await each.remove(collection, records.length === 1 ? next : (records.at(-1) as StoredRecord), NOW);
      }
      const [expected, actual] = await Promise.all([model, store].map((each) => each.scan(collection, { size: 200 })));
      expect(shown(actual ?? [])).toEqual(shown(expected ?? []));
    });
  },
);
