import { type Actor, sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { Collection } from "#kernel/records/collection.js";
import { collections, type Operation } from "#reference/index.js";
import type { StoredRecord } from "#store/index.js";
import { isProviders, withoutRequestId } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

type Params = Record<string, string>;

/** Operations of tenants with the id of a record in their path. */
const withIds = table.filter(
  (operation) =>
    operation.access !== "public" && !isProviders(operation) && operation.path.includes("{") && !operation.matches,
);
/** Parameters that take ids of records of every kind, a key of the caller's choice, or the name of a client. */
const OF_ANY_KIND = ["aiActivity.listSubject subjectId", "aiCompliance.replaceFramework key", "hooks.ask clientName"];
const ONE_OF = inject("store") === undefined ? 1 : 8;
const some = <T>(all: readonly T[]): readonly T[] => all.filter((_one, at) => at % ONE_OF === 0);
const NOWHERE = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";

/** The kinds of record that a tenant has, with prefixed ids. */
const kinds = (collections as readonly Collection<StoredRecord>[]).flatMap((collection) =>
  collection.resource && collection.prefix && collection.prefix !== "tnt"
    ? [{ ...collection, resource: collection.resource }]
    : [],
);

type Kind = (typeof kinds)[number];

describe("an id of another kind", () => {
  let world: World;
  const ids = new Map<string, string>();
  const ofB = new Map<string, string>();
  beforeAll(async () => {
    world = await createWorld({ rateLimits: "off" });
    for (const kind of kinds)
      for (const [scene, into] of [
        [world.a, ids],
        [world.b, ofB],
      ] as const) {
        const [row] = await world.store.forTenant(scene.tenantId).scan(kind, { size: 1 });
        if (row) into.set(kind.prefix as string, row.id);
      }
  });

  const ask = async (operation: Operation, params: Params, caller: Actor = world.a.owner) => {
    const answer = await sendSample(world.a, operation, caller, { params, headers: { "x-request-id": "fixed" } });
    return { status: answer.status, json: answer.json, body: withoutRequestId(answer.text) };
  };

  it("is asked of every kind", () => {
    expect(kinds.length).toBeGreaterThan(30);
    expect(kinds.filter(({ prefix }) => !ids.has(prefix as string)).map(({ name }) => name)).toEqual([]);
  });

  it.each(some(withIds).map((operation) => [operation.id, operation] as const))(
    "%s says of one's own what it is, and nothing of another tenant's",
    async (id, operation) => {
      const own = ((await sampleOf(operation).arrange?.(world.a)) ?? {}) as Params;
      for (const [name, used] of Object.entries(own)) {
        if (OF_ANY_KIND.includes(`${id} ${name}`)) continue;
        const isAsset = used.startsWith("ast_");
        const [prefix, type] = isAsset ? ["agt", "ai_agent"] : ["ast", "ai_asset"];
        const other = ids.get(prefix) as string;
        const reported = await ask(operation, { ...own, [name]: other });
        expect([reported.status, reported.json?.code], `${name}: ${reported.body}`).toEqual([404, "not_found"]);
        expect(reported.json.record, name).toMatchObject({ type, id: other });
        expect(reported.json.detail).toContain(`${other} is an AI ${isAsset ? "agent" : "asset"}; read it at `);
        const nowhere = await ask(operation, { ...own, [name]: `${prefix}_${NOWHERE}` });
        expect(nowhere.json).not.toHaveProperty("record");
        const foreign = await ask(operation, { ...own, [name]: ofB.get(prefix) as string });
        expect([foreign.status, foreign.body]).toEqual([nowhere.status, nowhere.body]);
      }
    },
  );

  const reported = async (kind: Kind, { token }: Actor, id: string) => {
    const at = kind.prefix === "ast" ? "/api/v1/ai/agents" : "/api/v1/ai-assets";
    const { json } = await world.a.send("GET", `${at}/${id}`, { token });
    return { ...json, requestId: "" };
  };

  it.each(some(kinds).map((kind) => [kind.resource.type, kind] as const))(
    "%s is told of to whoever may read it there",
    async (type, kind) => {
      const foreign = ofB.get(kind.prefix as string) as string;
      // Who sees a review depends on what it is about.
      const size = type === "review" ? 100 : 1;
      for (const { id } of await world.store.forTenant(world.a.tenantId).scan(kind, { size })) {
        const { record } = await reported(kind, world.a.owner, id);
        expect(record, type).toMatchObject({ type, id });
        for (const caller of Object.values(world.a.actors) as Actor[]) {
          const answer = await reported(kind, caller, id);
          if (answer.code !== "not_found") continue;
          const { status, text } = await world.a.send("GET", record.path, { token: caller.token });
          expect(answer.record !== undefined, `${id} for ${caller.username}: ${status}`).toBe(status === 200);
          if (answer.record) expect(text).toContain(id);
          expect(await reported(kind, caller, foreign)).toEqual(
            await reported(kind, caller, `${kind.prefix}_${NOWHERE}`),
          );
        }
      }
    },
  );
});
