import { pathOf, sampleOf, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { mutates, recordsOf } from "../helpers/facts.js";
import { ofThisStore } from "../helpers/quick.js";
import { createWorld } from "../helpers/world.js";

// AuthZEN's profile has no versions of a task.
const onARecord = ofThisStore(
  table.filter(
    (operation) => mutates(operation) && operation.path.includes("{id}") && operation.id !== "authzenRequests.cancel",
  ),
);
const STALE = ['"0"', '"2"', 'W/"1"', "1", '"x"', "", '"1', '"99999999999999999999"', '"2", "3"'];
let world: World;
let strict: World;
beforeAll(async () => {
  world = await createWorld();
  strict = await createWorld({ requireIfMatch: true });
});

/** Paths whose record is read at another one. */
const READ_AT: Readonly<Record<string, string>> = {
  "/api/v1/integrations/{id}": "/api/v1/connector-instances/{id}",
  "/api/v1/catalog/instances/{id}": "/api/v1/connector-instances/{id}",
  "/api/v1/user/app/{id}": "/api/v1/apps/{id}",
};

/** The record that an operation is about: the deepest of its path that can be read. */
const read = async (operation: (typeof table)[number], params: Record<string, string>) => {
  const { path } = operation;
  const ends = [...path.matchAll(/\}/g)].map(({ index }) => path.slice(0, index + 1)).reverse();
  const isRead = (at: string) => table.some((other) => other.method === "GET" && other.path === at);
  const record = ends.map((at) => READ_AT[at] ?? at).find(isRead) ?? path;
  const target = record.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] as string);
  return world.send("GET", target, { token: world.a.owner.token });
};

describe.each(onARecord.map((operation) => [operation.id, operation] as const))("If-Match: %s", (_id, operation) => {
  const prepare = async () => {
    const params = (await sampleOf(operation).arrange?.(world.a)) ?? {};
    const body = sampleOf(operation).body?.(world.a, world.a.owner);
    const send = (ifMatch?: string, more: Record<string, string> = {}) =>
      world.send(operation.method, pathOf(operation, params, world.a), {
        token: world.a.owner.token,
        body,
        headers: { "if-match": ifMatch, ...more },
      });
    const etag = (await read(operation, params)).headers.etag as string;
    return { params, send, etag, version: Number(etag.slice(1, -1)) };
  };
  /** Versions written for a record at version 1, shifted to its actual version. */
  const shifted = (tags: string, version: number) =>
    tags.replaceAll(/\b\d\b/g, (digit) => String(Number(digit) - 1 + version));

  it("refuses what is not the current version with 412 and names that, and writes nothing", async () => {
    const { send, etag, version } = await prepare();
    const records = await recordsOf(world.a);
    for (const ifMatch of STALE) {
      const answer = await send(shifted(ifMatch, version));
      expect(answer.status, ifMatch).toBe(412);
      expect(answer.json).toMatchObject({ code: "precondition_failed", current: version });
      expect(answer.headers.etag).toBe(etag);
    }
    expect(await recordsOf(world.a)).toEqual(records);
  });

  it.each(['"1"', "*", '"7", "1"'])("goes on with %s", async (ifMatch) => {
    const { send, version } = await prepare();
    const wanted = ifMatch === "*" && sampleOf(operation).ifMatch ? 428 : operation.success.status;
    expect((await send(shifted(ifMatch, version))).status).toBe(wanted);
  });

  it("refuses If-None-Match, and writes nothing", async () => {
    const { send, etag } = await prepare();
    const records = await recordsOf(world.a);
    for (const condition of ["*", etag, '"0"']) {
      const answer = await send(etag, { "if-none-match": condition });
      expect([answer.status, answer.json.code]).toEqual([400, "invalid_request"]);
    }
    expect(await recordsOf(world.a)).toEqual(records);
  });

  it("lets one of ten at once through", async () => {
    const { send, etag } = await prepare();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(etag)));
    const done = answers.filter(({ status }) => status < 300);
    expect(done).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412 || status === 404)).toHaveLength(9);
  });

  it("can be required", async () => {
    const params = (await sampleOf(operation).arrange?.(strict.a)) ?? {};
    const body = sampleOf(operation).body?.(strict.a, strict.a.owner);
    const send = (headers: Record<string, string>) =>
      strict.send(operation.method, pathOf(operation, params, strict.a), {
        token: strict.a.owner.token,
        body,
        headers,
      });
    const answer = await send({});
    if (operation.method === "POST") expect(answer.status).toBe(operation.success.status);
    else {
      expect(answer.status).toBe(428);
      const { ifMatch = "*" } = sampleOf(operation);
      expect((await send({ "if-match": ifMatch })).status).toBe(operation.success.status);
    }
  });
});

describe("ETag and If-None-Match", () => {
  it("belong to every single record, and save its body when it has not changed", async () => {
    const id = await world.a.newAsset();
    for (const path of [`/api/v1/ai-assets/${id}`, `/api/v1/users/${world.a.owner.userId}`]) {
      const ask = (condition: string) =>
        world.send("GET", path, { token: world.a.owner.token, headers: { "if-none-match": condition } });
      const first = await world.send("GET", path, { token: world.a.owner.token });
      expect(first.headers.etag).toBe(`"${first.json.version}"`);
      const { etag } = first.headers;
      // Caches in between may weaken tags.
      for (const condition of [etag as string, `W/${etag}`, "*", `"0", ${etag}`, `W/"0",W/${etag}`]) {
        const again = await ask(condition);
        expect([again.status, again.text], condition).toEqual([304, ""]);
        expect(again.headers.etag).toBe(etag);
      }
      for (const other of ['"0"', 'W/"0"', "1", ""]) expect((await ask(other)).status).toBe(200);
    }
  });

  it("move with every write", async () => {
    const id = await world.a.newAsset();
    const put = (body: object) => world.send("PUT", `/api/v1/ai-assets/${id}`, { token: world.a.owner.token, body });
    expect((await put({ description: "other" })).headers.etag).toBe('"2"');
    expect((await put({ description: "other" })).headers.etag).toBe('"2"');
    expect((await put({ description: "third" })).headers.etag).toBe('"3"');
  });
});

describe("HEAD", () => {
  it("answers as GET does, without a body", async () => {
    for (const path of ["/api/v1/ai-assets", `/api/v1/users/${world.a.owner.userId}`, "/api/v1/monitor/ping"]) {
      const get = await world.send("GET", path, { token: world.a.owner.token });
      const head = await world.send("HEAD", path, { token: world.a.owner.token });
      expect(head.status).toBe(get.status);
      expect(head.text).toBe("");
      expect(head.headers.etag).toBe(get.headers.etag);
    }
    expect((await world.send("HEAD", "/api/v1/ai-assets")).status).toBe(401);
  });
});
