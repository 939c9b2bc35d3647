import { type Actor, sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { EVENT_READERS } from "#control-plane/environment.js";
import { eventReadersOf } from "#kernel/operation/shown-events.js";
import type { Collection } from "#kernel/records/collection.js";
import { collections, PERMISSIONS } from "#reference/index.js";
import type { StoredRecord } from "#store/index.js";
import { createWorld } from "../helpers/world.js";

type Stored = StoredRecord & Readonly<Record<string, unknown>>;

const ofTenants = Object.keys(PERMISSIONS).filter((name) => !name.startsWith("support:"));
const roleOf = (permission: string) => `only_${permission.replaceAll(/\W/g, "_")}`;
/** What people write into a record. Not its name, by which other records refer to it. */
const WRITTEN = ["reason", "description", "rationale", "justification", "comment", "note", "purpose"];
const MARKS =
  /zqcanary\d+x|(?:\w+ )*of zqalpha-\d+|https:\/\/[\w.]*zqalpha-\d+[\w./-]*|zqalpha(?:-\d+)?@example\.test/g;

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** The operations of tenants that show something, with the permission of each. */
const shows = table.flatMap((operation) => {
  const { method, access } = operation;
  if (method !== "GET" || typeof access !== "object" || access.provider || sampleOf(operation).elsewhere) return [];
  return [{ operation, permission: access.permission }];
});

describe("no door shows what the caller may not read", () => {
  let world: World;
  /** What was written into records, each text with the kinds of the records that hold it. */
  const written = new Map<string, Set<string>>();
  const readersOf = (text: string) => [...(written.get(text) ?? [])].flatMap((kind) => EVENT_READERS[kind] ?? []);

  beforeAll(async () => {
    const roles = Object.fromEntries(
      ofTenants.map((name) => [roleOf(name), { description: name, permissions: [name] }]),
    );
    world = await createWorld({ rateLimits: "off", roles });
    const store = world.store.forTenant(world.a.tenantId);
    for (const collection of collections as readonly Collection<Stored>[]) {
      const kind = collection.resource?.type;
      if (!kind) continue;
      const note = (text: string) => written.set(text, (written.get(text) ?? new Set()).add(kind));
      for (const { value } of await store.scan(collection, { size: 1_000 })) {
        // The events of a record hold the texts that it was made with.
        for (const text of textsIn(value).flatMap((one) => one.match(MARKS) ?? [])) note(text);
        if (collection.scope === "platform") continue;
        const canary = `zqcanary${written.size}x`;
        note(canary);
        const texts = WRITTEN.filter((name) => typeof value[name] === "string").map((name) => [
          name,
          `${canary} and more`,
        ]);
        const metadata = "metadata" in value ? { metadata: { canary } } : {};
        const next = { ...value, ...Object.fromEntries(texts), ...metadata, version: value.version + 1 };
        await store.replace(collection, next, value);
      }
    }
    world.clock.advance(5_001);
  });

  it("asks of enough", () => {
    expect(written.size).toBeGreaterThan(80);
    expect(new Set([...written.values()].flatMap((kinds) => [...kinds])).size).toBeGreaterThan(30);
    expect(shows.length).toBeGreaterThan(120);
  });

  it.each(shows.map((one) => [one.operation.id, one] as const))("%s", async (_id, { operation, permission }) => {
    const { alsoNeeds } = sampleOf(operation);
    const held = [permission, ...(alsoNeeds ? [alsoNeeds] : [])];
    const caller = await world.a.newUser(held.map(roleOf));
    const answer = await sendSample(world.a, operation, caller);
    const shown = (text: string) =>
      written.has(text) && text !== caller.username && !readersOf(text).some((one) => held.includes(one));
    const found = (answer.text.match(MARKS) ?? []).filter(shown);
    expect(found.map((text) => `${text} of ${[...(written.get(text) ?? [])]}`)).toEqual([]);
  });

  it("the stream shows to each role the data of what it may read, and of nothing else", async () => {
    const roles = Object.entries(world.a.actors) as [string, Actor][];
    for (const [role, { token, userId }] of roles) {
      const { json } = await world.a.send("GET", "/api/v1/ai/activity?size=100", { token });
      const asked = new Map<string, number>();
      for (const { data, subject, subjecttype, source } of json.items) {
        if (data === null || subject === userId) continue;
        const key = `${subjecttype} ${source}`;
        const status = asked.get(key) ?? (await world.a.send("GET", source, { token })).status;
        asked.set(key, status);
        expect(status, `${role} sees data of ${subjecttype} ${subject}`).not.toBe(403);
      }
    }
  });
});

describe("who reads a kind of record", () => {
  const resource = { type: "thing", event: "thing", path: "/api/v1/things" };
  it("is said by the operation at its path, or by the collection, and must be said", () => {
    const read = { method: "GET", path: "/api/v1/things/{id}", access: { permission: "thing:read" } } as const;
    expect(eventReadersOf([{ name: "things", resource }], [read])).toEqual({ thing: ["thing:read"] });
    const own = { ...resource, readBy: ["thing:see"] };
    expect(eventReadersOf([{ name: "things", resource: own }], [read])).toEqual({ thing: ["thing:see"] });
    expect(() => eventReadersOf([{ name: "things", resource }], [])).toThrow("collection things");
  });

  it("is a permission that exists", () => {
    const unknown = Object.values(EVENT_READERS)
      .flat()
      .filter((name) => !Object.hasOwn(PERMISSIONS, name));
    expect(unknown).toEqual([]);
  });
});
