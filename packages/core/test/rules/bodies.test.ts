import { headersOf, pathOf, type Sending, sampleOf, table, type World } from "@reeve/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { guardJson, JSON_LIMITS } from "#kernel/http/json-guard.js";
import { takesUnknown } from "#kernel/pipeline/unknown-fields.js";
import { mutates, recordsOf } from "../helpers/facts.js";
import { inTurns } from "../helpers/quick.js";
import { createWorld } from "../helpers/world.js";

/** Bodies that another protocol defines have limits and tests of their own. */
const taking = table.filter(({ body, takes }) => body && !takes);
const ofTenants = taking.filter((operation) => !sampleOf(operation).elsewhere);
const writing = ofTenants.filter((operation) => mutates(operation) && operation.access !== "public");
const unwrapped = (body: z.ZodType) => (body instanceof z.ZodOptional ? body.unwrap() : body) as z.ZodObject;
const isOpen = ({ body }: (typeof table)[number]) => unwrapped(body).def.catchall instanceof z.ZodUnknown;
/** Updates with an open body, and the read at the same path. */
const ofRead = ofTenants.flatMap((operation) => {
  const read = table.find(({ method, path }) => method === "GET" && path === operation.path);
  const updates = operation.method === "PUT" || operation.method === "PATCH";
  return updates && read && takesUnknown(operation) ? [[operation, read] as const] : [];
});
const prototypeKeys = Object.getOwnPropertyNames(Object.prototype).length;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(prototypeKeys));

const create = (sending: Sending) =>
  world.send("POST", "/api/v1/ai-assets", { token: world.a.owner.token, ...sending });
const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
const many = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index)).join(",");

/** Bodies that every operation must refuse, with status and code. */
const REFUSED: Record<
  string,
  readonly [status: number, code: string, bytes: string | Uint8Array, headers?: Record<string, string>]
> = {
  "not JSON": [400, "invalid_json", "{nonsense"],
  "an unfinished object": [400, "invalid_json", '{"a":1'],
  "an unfinished string": [400, "invalid_json", '{"a":"b'],
  "a trailing comma": [400, "invalid_json", '{"a":1,}'],
  "a comment": [400, "invalid_json", '{"a":1}//x'],
  "two values": [400, "invalid_json", "{}{}"],
  "only space": [400, "invalid_json", "   "],
  "an array": [400, "invalid_json", "[]"],
  "a text": [400, "invalid_json", '"x"'],
  null: [400, "invalid_json", "null"],
  "a number": [400, "invalid_json", "7"],
  "a key twice": [400, "invalid_json", '{"name":"a","name":"b"}'],
  "a key twice, once escaped": [400, "invalid_json", '{"name":"a","n\\u0061me":"b"}'],
  "a key twice, deep down": [400, "invalid_json", '{"metadata":{"x":[{"a":1,"a":2}]}}'],
  __proto__: [400, "forbidden_key", '{"__proto__":{"x":1}}'],
  "__proto__, escaped": [400, "forbidden_key", '{"\\u005f_proto__":{"x":1}}'],
  "__proto__, deep down": [400, "forbidden_key", '{"metadata":{"a":[{"__proto__":1}]}}'],
  "constructor.prototype": [400, "forbidden_key", '{"metadata":{"constructor":{"prototype":{"x":1}}}}'],
  "1e400": [400, "invalid_json", '{"a":1e400}'],
  "2^53": [400, "invalid_json", '{"a":9007199254740992}'],
  "-2^53": [400, "invalid_json", '{"a":-9007199254740992}'],
  NaN: [400, "invalid_json", '{"a":NaN}'],
  "a leading zero": [400, "invalid_json", '{"a":01}'],
  "too deep": [400, "invalid_json", nested(JSON_LIMITS.depth + 1)],
  "far too deep": [400, "invalid_json", `{"a":${"[".repeat(250_000)}`],
  "too many values": [400, "invalid_json", `{"a":[${many(JSON_LIMITS.nodes, () => "1")}]}`],
  "too many properties": [400, "invalid_json", `{${many(JSON_LIMITS.keysPerObject + 1, (index) => `"k${index}":1`)}}`],
  "too long a string": [400, "invalid_json", `{"a":"${"x".repeat(JSON_LIMITS.stringLength + 1)}"}`],
  "too long a key": [400, "invalid_json", `{"${"k".repeat(JSON_LIMITS.keyLength + 1)}":1}`],
  "too many bytes": [413, "payload_too_large", `{"a":"${"x".repeat(JSON_LIMITS.bytes)}"}`],
  "one byte too many": [413, "payload_too_large", "{}".padEnd(JSON_LIMITS.bytes + 1)],
  "a byte order mark": [400, "invalid_encoding", "\ufeff{}"],
  "a NUL": [400, "invalid_encoding", '{"a":"\\u0000"}'],
  "a NUL in a key": [400, "invalid_encoding", '{"\\u0000":1}'],
  "a lone surrogate": [400, "invalid_encoding", '{"a":"\\ud800"}'],
  "a lone low surrogate": [400, "invalid_encoding", '{"a":"x\\udc00x"}'],
  "an overlong encoding": [400, "invalid_encoding", Uint8Array.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d])],
  "a broken sequence": [400, "invalid_encoding", Uint8Array.from([0x7b, 0x22, 0xe2, 0x82, 0x22, 0x3a, 0x31, 0x7d])],
  "a surrogate in UTF-8": [
    400,
    "invalid_encoding",
    Uint8Array.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  ],
  "Latin-1": [400, "invalid_encoding", Uint8Array.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d])],
  "UTF-16": [400, "invalid_encoding", new Uint8Array(Buffer.from("\ufeff{}", "utf16le"))],
  "another charset": [415, "unsupported_media_type", "{}", { "content-type": "application/json; charset=utf-16" }],
  XML: [415, "unsupported_media_type", "<a/>", { "content-type": "application/xml" }],
  "a form": [415, "unsupported_media_type", "a=1", { "content-type": "application/x-www-form-urlencoded" }],
  "plain text": [415, "unsupported_media_type", "{}", { "content-type": "text/plain" }],
  "something compressed": [415, "unsupported_media_type", "{}", { "content-encoding": "gzip" }],
};

const placed = taking.map((operation, at) => [operation.id, operation, at] as const);

describe.each(placed)("the body of %s", (_id, operation, at) => {
  it("is refused, and nothing written, when it is not a JSON object within the limits", async () => {
    const params = (await sampleOf(operation).arrange?.(world.a)) ?? {};
    const before = await recordsOf(world.a);
    const refused = Object.entries(REFUSED).filter(([name]) => !(operation.dialect && name === "a form"));
    for (const [name, [status, code, bytes, headers]] of inTurns(refused, at)) {
      const answer = await world.send(operation.method, pathOf(operation, params, world.a), {
        token: operation.access === "public" ? undefined : world.a.callerOf(operation).token,
        bytes,
        headers: { "content-type": "application/json", ...headers },
      });
      expect([name, answer.status, answer.json.code]).toEqual([name, status, code]);
    }
    expect(await recordsOf(world.a)).toEqual(before);
  });
});

describe("a record that was read", () => {
  it.each(ofRead.map(([operation, read]) => [operation.id, operation, read] as const))(
    "may be sent back: %s takes the whole answer of the read beside it, and its own",
    async (_id, operation, read) => {
      const { a } = world;
      const params = (await sampleOf(operation).arrange?.(a)) ?? {};
      const { token } = a.callerOf(operation);
      const path = pathOf(operation, params, a);
      const known = await world.send("GET", path, { token });
      expect(known.status, read.id).toBe(200);
      const sent = await world.send(operation.method, path, { token, body: known.json, headers: headersOf(operation) });
      expect(sent.status, sent.text).toBe(200);
      const again = await world.send(operation.method, path, { token, body: sent.json, headers: headersOf(operation) });
      expect(again.status, again.text).toBe(200);
      const misspelt = { ...sent.json, neverHeardOf: 1 };
      const refused = await world.send(operation.method, path, {
        token,
        body: misspelt,
        headers: headersOf(operation),
      });
      expect([refused.status, refused.json.errors?.[0].pointer]).toEqual([400, "/neverHeardOf"]);
    },
  );
});

describe("a body at its limits", () => {
  beforeAll(() => world.a.keepUnknownFields());

  it.each([
    ["depth", `{"metadata":${nested(JSON_LIMITS.depth - 1)}}`],
    ["values", `{"metadata":{"a":[${many(JSON_LIMITS.nodes - 3, () => "1")}]}}`],
    ["properties", `{"metadata":{${many(JSON_LIMITS.keysPerObject, (index) => `"k${index}":1`)}}}`],
    ["key length", `{"metadata":{"${"k".repeat(JSON_LIMITS.keyLength)}":1}}`],
    ["bytes", `{"configuration":{"a":1}}`.padEnd(JSON_LIMITS.bytes)],
    ["integers", '{"configuration":{"a":9007199254740991,"b":-9007199254740991,"c":1e15,"d":0.1,"e":-0.5E-3}}'],
  ])("is taken: %s", async (_name, text) => {
    expect((await create({ bytes: text, headers: { "content-type": "application/json" } })).status).toBe(201);
  });

  it("is read with the longest string, which only the fields refuse", async () => {
    const bytes = `{"configuration":{"a":"${"x".repeat(JSON_LIMITS.stringLength)}"}}`;
    const answer = await create({ bytes, headers: { "content-type": "application/json" } });
    expect(answer.json).toMatchObject({ code: "invalid_request", errors: [{ pointer: "/configuration" }] });
  });

  it.each(["application/json", 'Application/JSON; Charset="UTF-8"', "application/merge-patch+json"])(
    "may be sent as %s",
    async (type) => {
      expect((await create({ bytes: "{}", headers: { "content-type": type } })).status).toBe(201);
    },
  );

  it("S23 is refused without a type", async () => {
    const before = await recordsOf(world.a);
    const answer = await create({ bytes: "{}" });
    expect([answer.status, answer.json.code]).toEqual([415, "unsupported_media_type"]);
    expect(await recordsOf(world.a)).toEqual(before);
  });

  it("may be empty where it is optional, and only there", async () => {
    expect((await create({ bytes: "" })).status).toBe(201);
    for (const operation of ofTenants.filter(({ body }) => !body.safeParse(undefined).success)) {
      const params = (await sampleOf(operation).arrange?.(world.a)) ?? {};
      const answer = await world.send(operation.method, pathOf(operation, params, world.a), {
        token: world.a.callerOf(operation).token,
        headers: headersOf(operation),
        bytes: "",
      });
      expect(answer.json.code, operation.id).toBe("invalid_request");
    }
  });

  it("keeps every text as it was sent", async () => {
    const texts = [
      "emoji 👩‍👩‍👧‍👦",
      "עברית العربية",
      "é e\u0301",
      "\u2028\u2029",
      "\ufffd\ufeff",
      "𝔘𝔫𝔦",
      '\u0001\t\n\\"/',
      "&lt;'\"%_",
    ];
    const { json } = await create({ body: { name: "texts", metadata: { texts }, description: texts.join("") } });
    const read = await world.send("GET", `/api/v1/ai-assets/${json.id}`, { token: world.a.owner.token });
    expect(read.json.metadata.texts).toEqual(texts);
    expect(read.json.description).toBe(texts.join(""));
  });
});

describe("properties that callers do not own", () => {
  // Else most of them are unknown, and refused before anything could take them.
  beforeAll(() => world.a.keepUnknownFields());

  const NAMES = [
    "id",
    "version",
    "createdAt",
    "createdBy",
    "updatedAt",
    "updatedBy",
    "governanceState",
    "riskScore",
    "riskFactors",
    "approvedUntil",
    "conditions",
    "priorGovernanceState",
    "requestedBy",
    "approvedBy",
    "approvedAt",
    "tenantId",
    "tenant_id",
    "orgId",
    "roles",
    "permissions",
    "capabilities",
    "passwordHash",
    "securityVersion",
    "secretRef",
    "staleAt",
    "expiresAt",
    "externalId",
    "deletedAt",
    "ownership",
    "removedAt",
  ];
  /** Read-only names that these operations accept. */
  const OWNED: Readonly<Record<string, readonly string[]>> = { "users.create": ["roles"], "users.patch": ["roles"] };

  it.each(writing.map((operation, at) => [operation.id, operation, at] as const))(
    "cannot be set through %s",
    async (id, operation, at) => {
      const { a } = world;
      const names = NAMES.filter((candidate) => !OWNED[id]?.includes(candidate));
      for (const name of inTurns(names, at)) {
        const actor = id === "auth.resetPassword" ? await a.newUser(["member"]) : a.callerOf(operation);
        const params = (await sampleOf(operation).arrange?.(a)) ?? {};
        const sample = sampleOf(operation).body?.(a, actor);
        const forged = "forged-value";
        const answer = await world.send(operation.method, pathOf(operation, params, world.a), {
          token: actor.token,
          body: { ...sample, [name]: forged },
          headers: headersOf(operation),
        });
        if (answer.status >= 400) {
          expect([answer.status, name], answer.text).toEqual([400, name]);
          expect(["read_only_property", "invalid_request"]).toContain(answer.json.code);
        } else {
          // Unknown names are free properties. They are stored apart and never replace real ones.
          const { attributes = {}, ...record } = answer.json;
          expect(JSON.stringify(record)).not.toContain(forged);
          expect([undefined, forged]).toContain(attributes[name]);
        }
      }
    },
  );

  it.each(writing.filter(isOpen).map((operation) => [operation.id, operation] as const))(
    "never become free properties where the answer of %s has them",
    async (_id, operation) => {
      const { a } = world;
      const answered = Object.keys(operation.success.schema.shape ?? {});
      const settable = Object.keys(unwrapped(operation.body).shape);
      for (const name of answered.filter((candidate) => !settable.includes(candidate))) {
        const params = (await sampleOf(operation).arrange?.(a)) ?? {};
        const actor = a.callerOf(operation);
        const body = { ...sampleOf(operation).body?.(a, actor), [name]: "forged-value" };
        const answer = await world.send(operation.method, pathOf(operation, params, world.a), {
          token: actor.token,
          body,
        });
        if (answer.status < 400) expect([name, answer.json.attributes?.[name]]).toEqual([name, undefined]);
        else expect([name, answer.json.code]).toEqual([name, "read_only_property"]);
      }
    },
  );

  it("may be sent back unchanged: a record that is read can be PUT as it is, and nothing changes", async () => {
    const id = await world.a.newAsset({ attributes: { own: 1, extra: true } });
    const path = `/api/v1/ai-assets/${id}`;
    const { json, text } = await world.send("GET", path, { token: world.a.owner.token });
    const put = await world.send("PUT", path, { token: world.a.owner.token, body: json });
    expect(put.text).toBe(text);
    expect((await world.send("GET", path, { token: world.a.owner.token })).text).toBe(text);
    const stale = await world.send("PUT", path, { token: world.a.owner.token, body: { ...json, version: 9 } });
    expect(stale.json).toMatchObject({ code: "read_only_property", errors: [{ pointer: "/version" }] });
  });
});

describe("metadata", () => {
  const merge = async (id: string, metadata: unknown) =>
    world.send("PATCH", `/api/v1/ai-assets/${id}/metadata`, { token: world.a.owner.token, body: { metadata } });

  it("merges as RFC 7396 says", async () => {
    const id = await world.a.newAsset({ metadata: { a: "b", c: { d: "e", f: "g" }, list: [1, 2] } });
    const { json } = await merge(id, { a: "z", c: { f: null }, list: [3], n: { x: null, y: 1 } });
    expect(json.metadata).toEqual({ a: "z", c: { d: "e" }, list: [3], n: { y: 1 } });
    expect((await merge(id, {})).json).toMatchObject({ version: json.version });
  });

  it("may take 32 KiB and not a byte more, however it grows", async () => {
    const id = await world.a.newAsset({ metadata: {} });
    const room = 32 * 1024 - '{"a":""}'.length;
    expect((await merge(id, { a: "x".repeat(room) })).status).toBe(200);
    for (const metadata of [{ b: 1 }, { a: "x".repeat(room + 1) }]) {
      expect((await merge(id, metadata)).json.errors).toMatchObject([{ pointer: "/metadata" }]);
    }
    expect((await create({ body: { metadata: { a: "x".repeat(room + 1) } } })).status).toBe(400);
  });

  it.each([7, "x", null, [1], true])("cannot become %j", async (metadata) => {
    const id = await world.a.newAsset();
    expect((await merge(id, metadata)).status).toBe(400);
  });
});

describe("depth a million", () => {
  it("is refused without a stack overflow", () => {
    for (const text of [`{"a":${"[".repeat(1_000_000)}`, '{"a":'.repeat(1_000_000)]) {
      expect(() => guardJson(text)).toThrow(expect.objectContaining({ code: "invalid_json" }));
    }
  });
});
