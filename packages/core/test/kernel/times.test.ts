import { pathOf, type Scene, START, sampleOf, table, tokenFor, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Time } from "#kernel/records/record.js";
import { readTime } from "#kernel/records/time.js";
import { mutates, recordsOf } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

interface JsonSchema {
  readonly format?: string;
  readonly "x-date"?: "start" | "end";
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

interface TimeProperty {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

/** The times that a body may hold, at every depth; `0` stands for each item of a list. */
function timesIn(schema: JsonSchema, path: readonly string[] = []): TimeProperty[] {
  if (schema.format === "date-time") return [{ path, schema }];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => timesIn(inner, [...path, name])),
    ...(schema.items ? timesIn(schema.items, [...path, "0"]) : []),
    ...(schema.anyOf ?? []).flatMap((inner) => timesIn(inner, path)),
  ];
}

/** A schema as JSON Schema, with references resolved. */
function jsonOf(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, $defs: _, ...own } = value as { $ref?: string; $defs?: unknown };
    const target = $ref === undefined ? {} : (json.$defs?.[$ref.split("/").at(-1) as string] ?? {});
    return Object.fromEntries(Object.entries({ ...target, ...own }).map(([name, inner]) => [name, resolved(inner)]));
  };
  return resolved(json) as JsonSchema;
}

const propertiesOf = ({ body }: (typeof table)[number]) => (body ? timesIn(jsonOf(body)) : []);
const cases = table.flatMap((operation) =>
  propertiesOf(operation).map((property) => [operation.id, property.path.join("/"), operation, property] as const),
);

/** An object with a value at a path. */
function placed([name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  return name === "0" ? [placed(rest, value)] : { [name]: placed(rest, value) };
}

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

/** Sends the sample of an operation with a time in it. */
async function send(scene: Scene, operation: (typeof table)[number], path: readonly string[], time: string) {
  const sample = sampleOf(operation);
  const params = (await sample.arrange?.(scene)) ?? {};
  const caller = scene.callerOf(operation);
  const body = { ...sample.body?.(scene, caller), ...(placed(path, time) as object) };
  const token = tokenFor(operation, scene, caller);
  return scene.send(operation.method, pathOf(operation, params, scene), { token, body });
}

/** Every row of the tenant and of the provider. */
async function rows(): Promise<Set<string>> {
  const records = await Promise.all([world.a, world.provider].map(recordsOf));
  return new Set(records.flatMap((collections) => Object.values(collections).flat()));
}

const FORM = /^Must be a time like "2027-03-01T10:00:00Z"/;
type Fault = { readonly pointer?: string; readonly message: string };
const formFaults = (errors: readonly Fault[] = []) => errors.filter(({ message }) => FORM.test(message));

describe.each(cases)("%s: %s", (_id, _path, operation, { path, schema }) => {
  const dateAs = schema["x-date"];
  const readAs = { start: "2027-03-01T00:00:00.000Z", end: "2027-03-01T23:59:59.999Z" };

  /** Whether the time is stored, unless it is refused for something other than its form. */
  async function isRead(given: string, stored: string): Promise<void> {
    const before = await rows();
    const answer = await send(world.a, operation, path, given);
    if (answer.status >= 400) return expect(formFaults(answer.json.errors), answer.text).toEqual([]);
    if (!mutates(operation)) return;
    // Only what this request wrote tells: requests before it left the same time in other rows.
    const written = [answer.text, ...(await rows())].filter((row) => !before.has(row)).join("\n");
    expect(written.includes(stored), `${stored} is not stored`).toBe(true);
    expect(written.includes(given.includes("T") ? given : `"${given}"`), `${given} is stored as given`).toBe(false);
  }

  it("E8 takes a time with an offset, and stores it as UTC", () =>
    isRead("2027-03-01T10:00:00+02:00", "2027-03-01T08:00:00.000Z"));

  it("refuses another form with its pointer and an example", async () => {
    const { status, json, text } = await send(world.a, operation, path, "1 March 2027");
    expect(status, text).toBe(400);
    expect(formFaults(json.errors)).toMatchObject([{ pointer: `/${path.join("/")}` }]);
  });

  it.runIf(dateAs)("takes a date as a moment of that day", () => isRead("2027-03-01", readAs[dateAs ?? "start"]));

  it.runIf(!dateAs)("refuses a date", async () => {
    const { status, json } = await send(world.a, operation, path, "2027-03-01");
    expect([status, formFaults(json.errors)]).toMatchObject([400, [{ pointer: `/${path.join("/")}` }]]);
  });
});

describe("the times of requests", () => {
  it("are of the declared type wherever a name tells of a time", () => {
    const names = (schema: JsonSchema): string[] => [
      ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
        ...(/(?:At|Until|On)$/.test(name) && !/"format":"date(?:-time)?"/.test(JSON.stringify(inner)) ? [name] : []),
        ...names(inner),
      ]),
      ...(schema.items ? names(schema.items) : []),
      ...(schema.anyOf ?? []).flatMap(names),
    ];
    const untyped = table.flatMap(({ id, body, query }) =>
      [body, query].flatMap((schema) => (schema ? names(jsonOf(schema)).map((name) => `${id}: ${name}`) : [])),
    );
    expect(untyped).toEqual([]);
    expect(cases.length).toBeGreaterThan(50);
  });

  it.each([
    ["2027-03-01T10:00:00+02:00", "2027-03-01T08:00:00.000Z"],
    ["2027-03-01t10:00:00z", "2027-03-01T10:00:00.000Z"],
    ["2027-03-01T10:00:00.5-00:00", "2027-03-01T10:00:00.500Z"],
    ["2027-03-01T10:00:00.123999999999Z", "2027-03-01T10:00:00.123Z"],
    ["2028-02-29T23:30:00-01:00", "2028-03-01T00:30:00.000Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
    ["2017-01-01T01:59:60.25+02:00", "2017-01-01T00:00:00.250Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
  ])("read %s as %s", (given, stored) => {
    expect(Time.parse(given)).toBe(stored);
    expect(readTime(stored)).toBe(stored);
  });

  it.each([
    "2027-03-01",
    "2027-03-01T10:00:00",
    "2027-03-01 10:00:00Z",
    "2027-02-29T10:00:00Z",
    "2027-03-01T24:00:00Z",
    "2027-03-01T10:00:00+24:00",
    "2027-03-01T10:00:60Z",
    "9999-12-31T23:59:59-01:00",
    "0000-01-01T00:00:00+01:00",
    "",
    1_800_000_000,
  ])("refuse %j", (given) => {
    expect(Time.safeParse(given).error?.issues).toMatchObject([{ message: expect.stringMatching(FORM) }]);
  });

  it.each(["aiActivity.list", "aiActivity.listSubject"])("may be in any form in the query of %s", async (id) => {
    const { a } = world;
    const operation = table.find((candidate) => candidate.id === id) as (typeof table)[number];
    const params = (await sampleOf(operation).arrange?.(a)) ?? {};
    const read = async (query: Record<string, string>) =>
      a.send("GET", `${pathOf(operation, params)}?${new URLSearchParams(query)}`, { token: a.owner.token });
    const day = START.slice(0, 10);
    const { json: found } = await read({ from: START });
    expect(found.items.length).toBeGreaterThan(0);
    const alike = [
      { from: START.replace("T09:00:00.000Z", "T11:00:00+02:00") },
      { from: START.toLowerCase() },
      { from: day },
    ];
    for (const query of alike) expect((await read(query)).json.items).toEqual(found.items);
    expect((await read({ to: day })).json.items).toEqual([]);
    const { status, json } = await read({ from: "yesterday" });
    expect([status, json.errors]).toMatchObject([400, [{ parameter: "from", message: expect.stringMatching(FORM) }]]);
  });
});
