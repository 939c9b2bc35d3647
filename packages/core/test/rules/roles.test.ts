import {
  type Actor,
  createPlane,
  headersOf,
  ROLE_NAMES,
  type Scene,
  sampleOf,
  sendSample,
  table,
  type World,
} from "@reeve/testkit";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { Collection } from "#kernel/records/collection.js";
import { collections, type Operation, PERMISSIONS, PROVIDER_ROLES, permissionsOf, ROLES } from "#reference/index.js";
import { type StoredRecord, StoreError } from "#store/index.js";
import { PLATFORM_TENANT } from "#testing/index.js";
import { eventsOf, eventTypes, isProviders, mutates, recordsOf } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

const named = table.map((operation) => [operation.id, operation] as const);
const bearers = named.filter(([, { access }]) => access !== "public");
const licensed = named.filter(([, { access }]) => typeof access === "object" && access.capability);
/** Parameters for a request that is refused before they are read. */
const NOWHERE = {
  ...Object.fromEntries(
    [
      "id",
      "eventId",
      "subjectId",
      "asset",
      "key",
      "kind",
      "tenantId",
      "userId",
      "appInstanceId",
      "assignmentId",
      "keyId",
    ].map((name) => [name, "x"]),
  ),
  nonce: "x".repeat(43),
  app_instance_id: `sapp_${"0".repeat(26)}`,
};
const indexOf = new Map(named.map(([id], index) => [id, index]));
/** Roles that each operation is tried with. What a role holds is read alike everywhere: SQL stores take turns. */
const ROLES_EACH = inject("store") === undefined ? Number.POSITIVE_INFINITY : 3;
/** Roles that carry an operation out in `npm test`, others for each operation. All that are refused are tried. */
const ALLOWED_EACH = inject("isQuick") ? 3 : Number.POSITIVE_INFINITY;
/** A list from a place on, with what is before the place at its end. */
const turned = <T>(all: readonly T[], place: number): readonly T[] => [
  ...all.slice(place % all.length),
  ...all.slice(0, place % all.length),
];
const PROVIDER_ROLE_NAMES = Object.keys(PROVIDER_ROLES);
const collectionNamed = (name: string) => {
  const collection = collections.find((candidate) => candidate.name === name);
  if (!collection) throw new Error(`there is no collection ${name}`);
  return collection;
};

type Stored = StoredRecord & Readonly<Record<string, unknown>>;

/** Changes a stored record directly, and advances the clock until no cache has the old one. Returns the old one. */
async function rewrite({ store, clock }: World, tenantId: string, name: string, id: string, patch: object) {
  const collection = collectionNamed(name) as Collection<Stored>;
  const previous = (await store.forTenant(tenantId).get(collection, id))?.value;
  if (!previous) throw new Error(`there is no ${id} in ${name}`);
  const next = { ...previous, ...patch, version: previous.version + 1 };
  await store.forTenant(tenantId).replace(collection, next, previous);
  clock.advance(5_001);
  return previous;
}

describe("operations by role", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });

  /** The columns of the matrix: each role with its tenant. */
  const holders = () => [
    ...ROLE_NAMES.map((role) => [role, world.a] as const),
    ...PROVIDER_ROLE_NAMES.map((role) => [role, world.provider] as const),
  ];

  /** One holder of each role. Whoever is refused leaves nothing behind. */
  const standing = (home: Scene, role: string) => {
    const key = `${role} of ${home.tenantId}`;
    const holder = standings.get(key) ?? home.newUser([role]);
    standings.set(key, holder);
    return holder;
  };
  const standings = new Map<string, Promise<Actor>>();

  it.each(named)("%s allows exactly the roles that hold its permission", async (id, operation) => {
    const { access } = operation;
    const needed =
      typeof access === "string" ? [] : [access.permission, sampleOf(operation).alsoNeeds ?? access.permission];
    let allowed = 0;
    for (const [role, home] of turned(holders(), indexOf.get(id) ?? 0).slice(0, ROLES_EACH)) {
      if (sampleOf(operation).ofTenants && home === world.provider) continue;
      const outside = isProviders(operation) && home !== world.provider;
      const missing = needed.find((permission) => !permissionsOf([role]).has(permission));
      const refused = outside || missing !== undefined;
      if (!refused) allowed += 1;
      if (!refused && allowed > ALLOWED_EACH) continue;
      // Without the operation's own permission, a caller is refused before the target is read. So none needs to exist, and
      // a body may name none.
      const early = outside || (missing !== undefined && missing === needed[0]);
      const caller = early ? await standing(home, role) : await home.newUser([role]);
      const subject = isProviders(operation) ? world.a : home;
      const params = early ? NOWHERE : ((await sampleOf(operation).arrange?.(subject, caller)) ?? {});
      const answer = await sendSample(subject, operation, caller, { params, asPublished: !early });
      expect(answer.status, role).toBe(refused ? 403 : statusOf(operation));
      if (refused)
        expect(answer.json).toMatchObject(
          outside ? { code: "provider_policy" } : { code: "permission_denied", permission: missing },
        );
    }
  });

  it("know every permission and every role", () => {
    expect(ROLE_NAMES).toHaveLength(7);
    expect(PROVIDER_ROLE_NAMES).toHaveLength(2);
    const all = permissionsOf(["owner", "provider_admin"]);
    expect([...all].sort()).toEqual(Object.keys(PERMISSIONS).sort());
    expect(permissionsOf(["nobody", "__proto__", "constructor"]).size).toBe(0);
    expect([...permissionsOf(["auditor", "approver"])].sort()).toEqual(
      [...new Set<string>([...ROLES.auditor, ...ROLES.approver])].sort(),
    );
  });

  it("answer a user without any role with 403", async () => {
    const { a } = world;
    const caller = await a.newUser([]);
    const answer = await a.send("GET", "/api/v1/ai-assets", { token: caller.token });
    expect(answer.json.code).toBe("permission_denied");
  });
});

describe("operations with a bearer", () => {
  let world: World;
  let older: World;
  beforeAll(async () => {
    world = await createWorld();
    older = await createWorld({ missingTokenStatus: 403 });
  });

  it.each(bearers)("%s answers 401 with a challenge when there is none", async (_id, operation) => {
    const answer = await sendSample(world.a, operation, undefined);
    expect(answer.status).toBe(401);
    expect(answer.json.code).toBe("token_missing");
    const metadata = ` resource_metadata="https://reeve.example/.well-known/oauth-protected-resource${operation.path}"`;
    expect(answer.headers["www-authenticate"]).toBe(operation.ownAudience ? `Bearer${metadata}` : "Bearer");
  });

  // Clients of an audience of its own find by the 401 where to get a token.
  it.each(bearers.filter(([, { ownAudience }]) => !ownAudience))(
    "%s answers 403 instead where the host chose that",
    async (_id, operation) => {
      const answer = await sendSample(older.a, operation, undefined);
      expect(answer.status).toBe(403);
      expect(answer.json).toMatchObject({ code: "token_missing", status: 403 });
      expect(answer.headers).not.toHaveProperty("www-authenticate");
      const forged = await sendSample(older.a, operation, { ...older.a.callerOf(operation), token: "forged" });
      expect(forged.status).toBe(401);
    },
  );

  it.each(named.filter(([, { access }]) => access === "public"))("%s needs none", async (_id, operation) => {
    expect((await sendSample(world.a, operation, undefined)).status).toBe(statusOf(operation));
  });
});

describe("a capability that is not licensed", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ tokenLifetime: 86_400 });
  });

  it.each(licensed)("stops %s, and nothing is written", async (_id, operation) => {
    const { a } = world;
    const { access } = operation;
    const capability = typeof access === "object" ? access.capability : undefined;
    const params = (await sampleOf(operation).arrange?.(a)) ?? {};
    const licence = ["entitlements", `capability:${capability}`] as const;
    const { status } = await rewrite(world, a.tenantId, ...licence, { status: "revoked" });
    const before = { records: await recordsOf(a), events: (await eventsOf(a)).length };
    // The query is also invalid, which shows that the licence is checked before the input.
    const answer = await sendSample(a, operation, a.owner, { params, query: "?nonsense=1" });
    expect(answer.status).toBe(403);
    expect(answer.json).toMatchObject({ code: "capability_not_licensed", capability });
    expect(await recordsOf(a)).toEqual(before.records);
    expect(await eventTypes(a, before.events)).toEqual(mutates(operation) ? ["request.denied"] : []);
    await rewrite(world, a.tenantId, ...licence, { status });
  });

  it("is one whose licence has run out", async () => {
    const { a, clock, send } = world;
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    await rewrite(world, a.tenantId, "entitlements", "capability:ai_registry", { expiresAt });
    clock.set(expiresAt);
    clock.advance(-1);
    expect((await send("GET", "/api/v1/ai-assets", { token: a.owner.token })).status).toBe(200);
    clock.advance(1);
    expect((await send("GET", "/api/v1/ai-assets", { token: a.owner.token })).status).toBe(403);
  });
});

describe("a suspended tenant", () => {
  it.each(["suspended", "closed"])(
    "(%s) is refused by every operation with a bearer, and cannot sign in",
    async (status) => {
      const world = await createWorld();
      const { a, b, send } = world;
      await rewrite(world, a.tenantId, "tenants", a.tenantId, { status });
      const before = await recordsOf(a);
      for (const [, operation] of bearers) {
        const answer = await sendSample(a, operation, a.owner, { params: NOWHERE, asPublished: false });
        expect(answer.status, operation.id).toBe(403);
        expect(answer.json.code).toBe("tenant_suspended");
      }
      expect(await recordsOf(a)).toEqual(before);
      const { username, password } = a.owner;
      const signIn = await send("POST", "/api/v1/auth/signin", { body: { username, password } });
      expect(signIn.json.code).toBe("invalid_credentials");
      expect((await send("GET", "/api/v1/ai-assets", { token: b.owner.token })).status).toBe(200);
    },
  );
});

/** The status of its sample here. Some samples need more than the memory store. */
const statusOf = (operation: Operation): number => sampleOf(operation).elsewhere ?? operation.success.status;

describe("a kill switch", () => {
  const guarded = table.flatMap((operation) =>
    (operation.killSwitches ?? []).map((key) => [key, operation.id, operation] as const),
  );

  it("guards some operations", () => {
    expect(guarded.length).toBeGreaterThan(0);
  });

  let world: World;
  beforeAll(async () => {
    world = await createWorld({ tokenLifetime: 86_400 });
  });

  it.each(guarded)("%s stops %s while it is engaged", async (key, _id, operation) => {
    const { a, provider } = world;
    const move = (status: string) =>
      a.send("POST", `/api/v1/support/kill-switches/${key}`, {
        token: provider.owner.token,
        body: { status, reason: "to see what stops and what goes on" },
      });
    expect((await move("engaged")).status).toBe(200);
    const before = await recordsOf(a);
    const answer = await sendSample(a, operation, a.owner, { params: NOWHERE, body: { nonsense: true } });
    expect(answer.status).toBe(503);
    expect(answer.json).toMatchObject({ code: "kill_switch_active", killSwitch: key, retryable: true });
    expect(answer.headers["retry-after"]).toBe("30");
    expect(await recordsOf(a)).toEqual(before);
    expect((await move("released")).status).toBe(200);
    const released = await sendSample(a, operation, a.callerOf(operation));
    expect(released.status).toBe(statusOf(operation));
  });

  const open = guarded.filter(([, , { access }]) => access === "public");
  it.each(open)("O6 %s stops %s when it cannot be read, by the code of the store", async (key, _id, operation) => {
    const { a, store, clock } = await createWorld();
    const { send } = createPlane({ store, clock });
    const forTenant = store.forTenant.bind(store);
    const busy = { find: () => Promise.reject(new StoreError("busy", "somebody holds it")) };
    Object.assign(store, {
      forTenant: (tenantId: string) => Object.assign(forTenant(tenantId), tenantId === PLATFORM_TENANT ? busy : {}),
    });
    const sending = { body: sampleOf(operation).body?.(a, a.owner), headers: headersOf(operation) };
    const answer = await send(operation.method, operation.path, sending);
    expect(operation.killSwitches).toContain(key);
    expect([answer.status, answer.json.code]).toEqual([503, "storage_busy"]);
  });
});
