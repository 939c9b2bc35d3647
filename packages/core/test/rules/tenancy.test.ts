import {
  type Actor,
  headersOf,
  masked,
  newAdoption,
  pathOf,
  type Scene,
  sampleOf,
  sendSample,
  table,
  tokenFor,
  type World,
  withQuery,
} from "@reeve/testkit";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { collections, type Operation } from "#reference/index.js";
import { eventsOf, headOf, isProviders, OF_THE_PLATFORM, recordsOf, withoutRequestId } from "../helpers/facts.js";
import { type IdField, idFieldsOf } from "../helpers/id-fields.js";
import { inTurns } from "../helpers/quick.js";
import { createWorld } from "../helpers/world.js";

type Params = Record<string, string>;

const inMemory = inject("store") === undefined;

/** Operations of tenants. Those of the provider work across tenants. */
const bearers = table.filter((operation) => operation.access !== "public" && !isProviders(operation));
/** Keys are the same for all tenants, as those of connectors are. */
const withIds = bearers.filter(
  // A path that matches some texts only is answered by the host otherwise. It has tests of its own, as what no sample arranges.
  (operation) => {
    const { path, matches } = operation;
    return path.includes("{") && !/\{(key|providerKey)\}/.test(path) && !matches && !sampleOf(operation).elsewhere;
  },
);
const CALLERS = ["owner", "admin", "auditor"] as const;

/** Ids of no record, and texts that are no ids. */
const NOWHERE = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
const MALFORMED = [
  "1",
  "x".repeat(300),
  "ast_",
  "AST_00000000000000000000000001",
  "ast_0000000000000000000000000!",
  "%27%20OR%201%3D1",
  "null",
  "-1",
  "ast_%E2%82%AC",
];

const randomLike = (id: string) => `${id.slice(0, id.indexOf("_"))}_${NOWHERE}`;

/** Ends a session, because only an ended one can be deleted. The clock advances past all pending acknowledgements. */
async function ended({ a, clock }: World, session: string): Promise<void> {
  await a.send("POST", `${session}/terminate`, { token: a.owner.token, body: { reason: "so that it can go" } });
  clock.advance(10_000);
}

/** Sends an assessment back if it was submitted, because only drafts can be deleted. */
async function sentBack({ send, owner }: Scene, assessment: string): Promise<void> {
  await send("PATCH", `${assessment}/return`, { token: owner.token, body: { reason: "so that it can go" } });
}

/** Confirms that a policy goes out of force and archives it, because only then it can be deleted. */
async function outOfForce(scene: Scene, policy: string): Promise<void> {
  const { token } = scene.owner;
  await scene.send("POST", `${policy}/pending`, { token, body: { decision: "confirm", digest: scene.picked } });
  await scene.send("PUT", policy, { token, body: { status: "archived", reason: "so that it can go" } });
}

/** Deletes a record through its own DELETE operation. `undefined` when its kind cannot be deleted. */
async function deletedLike(scene: Scene, id: string): Promise<string | undefined> {
  const collection = collections.find(({ prefix, resource }) => resource && id.startsWith(`${prefix}_`));
  const remove = table.find(({ method, path }) => method === "DELETE" && path === `${collection?.resource?.path}/{id}`);
  if (!remove) return undefined;
  const params = (await sampleOf(remove).arrange?.(scene)) as Params;
  await sendSample(scene, remove, scene.owner, { params });
  return params.id;
}

describe("ids of another tenant", () => {
  let world: World;
  /** Ids of the other tenant by operation, and those of records that it has deleted. */
  const foreign = new Map<string, { readonly params: Params; readonly deleted: Params }>();
  let before: { records: Record<string, string[]>; head: number };
  beforeAll(async () => {
    world = await createWorld();
    const { b } = world;
    for (const operation of withIds) {
      const params = await (sampleOf(operation).arrange as (scene: Scene) => Promise<Params>)(b);
      const deleted: Params = {};
      for (const [name, id] of Object.entries(params)) {
        const gone = await deletedLike(b, id);
        if (gone) deleted[name] = gone;
      }
      foreign.set(operation.id, { params, deleted });
    }
    before = { records: await recordsOf(b), head: await headOf(b) };
  });

  async function refusal(operation: Operation, params: Params, caller: Actor) {
    const answer = await sendSample(world.a, operation, caller, {
      params,
      headers: { "x-request-id": "fixed" },
      remoteAddress: "192.0.2.7",
    });
    // A link to the successor of an operation repeats the requested id.
    const link = answer.headers.link?.replace(/<[^>]*>/g, "<>");
    return { status: answer.status, headers: { ...answer.headers, link }, body: withoutRequestId(answer.text) };
  }

  it.each(withIds.map((operation, at) => [operation.id, operation, at] as const))(
    "%s answers them like ids that never were",
    async (id, operation, at) => {
      const { a, b } = world;
      const own = await (sampleOf(operation).arrange as (scene: Scene) => Promise<Params>)(a);
      const { params, deleted } = foreign.get(id) as { params: Params; deleted: Params };
      for (const name of Object.keys(own)) {
        const ids = [params[name], deleted[name]].flatMap((one) => one ?? []);
        for (const role of CALLERS) {
          const caller = a.actors[role];
          const random = await refusal(operation, { ...own, [name]: randomLike(own[name] as string) }, caller);
          const allowed = random.status !== 403;
          expect(random.status).toBe(allowed ? 404 : 403);
          expect(allowed || role === "auditor").toBe(true);
          for (const one of ids) expect(await refusal(operation, { ...own, [name]: one }, caller)).toEqual(random);
          // What is no id is so whoever asks.
          for (const one of role === "owner" ? inTurns(MALFORMED, at) : []) {
            const malformed = await refusal(operation, { ...own, [name]: decodeURIComponent(one) }, caller);
            expect(malformed.body, one).toBe(random.body);
          }
        }
      }
      // The same with all ids of the other tenant.
      expect((await refusal(operation, params, a.owner)).status).toBe(404);
      expect(await headOf(b)).toBe(before.head);
    },
  );

  it("leave that tenant's records as they were, whatever is asked with them", async () => {
    expect(await recordsOf(world.b)).toEqual(before.records);
  });

  /** Findings, exemptions, evaluation runs, requests for approval and records of access are permanent: no operation deletes them. */
  const deletable = new Set(table.filter(({ method }) => method === "DELETE").map(({ path }) => path));
  const recordOf = (path: string) => path.slice(0, path.indexOf("{id}") + "{id}".length);
  const ofDeletable = withIds.filter(({ path }) => path.includes("{id}") && deletable.has(recordOf(path)));

  it("are asked for of every kind of record, also of those that are never deleted", () => {
    const kept = withIds.filter(({ path }) => path.includes("{id}") && !deletable.has(recordOf(path)));
    const paths = [
      "/api/v1/ai/halts/{id}",
      "/api/v1/ai-governance/findings/{id}",
      "/api/v1/ai-governance/exemptions/{id}",
      "/api/v1/ai-governance/evaluations/runs/{id}",
      "/api/v1/ai-governance/approvals/{id}",
      "/api/v1/access-profiles/{id}",
      "/api/v1/access-requests/{id}",
      "/api/v1/access-assignments/{id}",
      "/api/v1/access-certifications/{id}",
      "/api/v1/access-drift/{id}",
      "/api/v1/apps/{id}",
      "/api/v1/ai-governance/audit/erasures/{id}",
      "/api/v1/reviews/{id}",
      "/api/v1/second-factor-resets/{id}",
      "/api/v1/ai/installation-codes/{id}",
      "/api/v1/ai/installations/{id}",
      "/api/v1/ai/publications/{id}",
      "/api/v1/ai/watches/{id}",
      "/api/v1/ai/registry-keys/{id}",
      "/api/v1/me/notices/{id}",
      "/api/v1/me/delegations/{id}",
      "/access/v1/requests/{id}",
    ];
    expect(new Set(kept.map(({ path }) => recordOf(path)))).toEqual(new Set(paths));
  });

  /** What is kept of a connection that was deleted, so that the trail of its assets still leads somewhere. */
  const KEPT = ["latestDiagnostics", "readDiagnostics", "readImport", "listImportItems"].map(
    (id) => `integrations.${id}`,
  );

  it.each(KEPT)("of which %s reads on once the record is deleted, for its own tenant alone", async (id) => {
    const operation = table.find((one) => one.id === id) as (typeof table)[number];
    const { a, b } = world;
    const params = await (sampleOf(operation).arrange as (scene: Scene) => Promise<Params>)(a);
    const removed = await a.send("DELETE", `/api/v1/integrations/${params.id}`, { token: a.owner.token });
    expect(removed.status, removed.text).toBeLessThan(300);
    expect((await sendSample(a, operation, a.owner, { params })).status).toBe(200);
    expect((await sendSample(b, operation, b.owner, { params })).status).toBe(404);
  });

  it.each(ofDeletable.filter(({ id }) => !KEPT.includes(id)).map((operation) => [operation.id, operation] as const))(
    "and of this one, once deleted: %s finds neither the record nor what belonged to it",
    async (_id, operation) => {
      const { a } = world;
      const params = await (sampleOf(operation).arrange as (scene: Scene) => Promise<Params>)(a);
      const record = operation.path.slice(0, operation.path.indexOf("{id}")) + params.id;
      if (record.startsWith("/api/v1/ai/sessions/")) await ended(world, record);
      if (record.startsWith("/api/v1/ai-governance/assessments/")) await sentBack(a, record);
      if (operation.id === "aiGovernancePolicies.decideChange") await outOfForce(a, record);
      const inUse = record.startsWith("/api/v1/ai/mcp-servers/") ? "?force=true&reason=so+that+it+can+go" : "";
      const removal = table.find(({ method, path }) => method === "DELETE" && path === recordOf(operation.path));
      const removed = await a.send("DELETE", record + inUse, { token: a.owner.token });
      expect(removed.status).toBe(removal?.success.status);
      expect((await sendSample(a, operation, a.owner, { params })).status).toBe(404);
    },
  );

  it("are not found among a sibling's children either", async () => {
    const { a } = world;
    for (const operation of withIds.filter(({ path }) => (path.match(/\{/g) ?? []).length > 1)) {
      const arrange = sampleOf(operation).arrange as (scene: Scene) => Promise<Params>;
      const [first, second] = [await arrange(a), await arrange(a)];
      const child = Object.keys(first).at(-1) as string;
      const answer = await sendSample(a, operation, a.owner, {
        params: { ...first, [child]: second[child] as string },
      });
      expect(answer.status).toBe(404);
    }
  });

  it("leave one denied event in the caller's tenant when something was to be changed", async () => {
    const { a, b } = world;
    const before = (await eventsOf(a)).length;
    const id = await b.newAsset();
    await a.send("DELETE", `/api/v1/ai-assets/${id}`, { token: a.owner.token });
    const added = (await eventsOf(a)).slice(before);
    expect(added).toHaveLength(1);
    const event = JSON.parse(added[0]?.attributes as string);
    expect(event).toMatchObject({ type: "reeve.request.denied.v1", outcome: "denied", authid: a.owner.userId });
    expect(`${added[0]?.attributes}${added[0]?.data}`).not.toContain(id);
  });
});

/** Kinds that are asked for of a property that may refer to any, others of each property. All would take ten minutes. */
const KINDS_EACH = inMemory ? (inject("isQuick") ? 4 : 12) : 1;

describe("ids of another tenant in a body", () => {
  const all = bearers
    .filter(({ body }) => body)
    .flatMap((operation) => idFieldsOf(operation).map((field) => [operation.id, field.path, operation, field] as const))
    .map((one, at) => [...one, at] as const);
  // PostgreSQL is asked all that SQLite is.
  const fields = all.filter((_field, at) => !inject("isQuick") || inject("store") !== "sqlite" || at % 4 === 0);
  let world: World;
  let before: { records: Record<string, string[]>; head: number };
  beforeAll(async () => {
    world = await createWorld({ tokenLifetime: 86_400 });
    // Not in every world, because only adopted frameworks count then.
    await newAdoption(world.b);
    before = { records: await recordsOf(world.b), head: await headOf(world.b) };
  });

  it("are asked for by some operations", () => {
    expect(all.map(([id, path]) => `${id} ${path}`)).toContain("aiAssets.create relations.targetId[]");
  });

  /** One id of each kind of record that this property may refer to: the kinds that its name mentions, or else others. */
  async function foreignIds({ store, b }: World, leaf: string, at: number): Promise<string[]> {
    const word = leaf.replace(/Ids?$/i, "").toLowerCase();
    const kinds = collections.filter(({ resource, name }) => resource && !OF_THE_PLATFORM.includes(name));
    const named = kinds.filter(({ resource }) => word !== "" && resource?.type.replaceAll("_", "").endsWith(word));
    const from = (at * KINDS_EACH) % kinds.length;
    const some = [...kinds.slice(from), ...kinds.slice(0, from)].slice(0, KINDS_EACH);
    const rows = (named.length > 0 ? named : inMemory ? inTurns(some, 0) : some).map((collection) =>
      store.forTenant(b.tenantId).scan(collection, { size: 1 }),
    );
    return (await Promise.all(rows)).map(([row]) => row?.id as string);
  }

  /** The response without what differs between two equal requests. */
  const plain = (text: string, id: string) =>
    text
      .replaceAll(id, "the id")
      .replaceAll(/zqalpha-\d+/g, "zqalpha")
      .replaceAll(/"next_token":"[^"]+"/g, '"next_token":"a token"')
      .replaceAll(/_[0-9A-Z]{26}/g, "_")
      .replaceAll(/\b[0-9a-f]{64}\b/g, "digest");

  async function outcome(a: Scene, operation: Operation, field: IdField, id: string) {
    const params = (await sampleOf(operation).arrange?.(a)) ?? {};
    const body = { ...sampleOf(operation).body?.(a, a.owner), ...field.holding(id) };
    const answer = await sendSample(a, operation, a.owner, { params, body });
    const seen = [`${answer.status} ${plain(answer.text, id)}`];
    if (answer.status < 300) {
      const record = params.id ? operation.path.slice(0, operation.path.indexOf("{id}")) + params.id : undefined;
      const path = record ?? answer.headers.location;
      if (path) seen.push(plain((await a.send("GET", path, { token: a.owner.token })).text, id));
      // A tenant has a limited number of some records.
      const removal = table.find(({ method, path: at }) => method === "DELETE" && at === operation.path);
      if (removal) await a.send("DELETE", pathOf(removal, params, a), { token: a.owner.token });
    }
    return seen;
  }

  it.each(fields)("are to %s, as %s, what ids are that never were", async (_id, _path, operation, field, at) => {
    const { a, b } = world;
    for (const foreign of await foreignIds(world, field.leaf, at)) {
      const random = await outcome(a, operation, field, randomLike(foreign));
      const found = await outcome(a, operation, field, foreign);
      expect(found).toEqual(random);
      expect(found.join("")).not.toContain(b.sentinel);
    }
    expect(await headOf(b)).toBe(before.head);
  });

  it("leave that tenant's records as they were", async () => {
    expect(await recordsOf(world.b)).toEqual(before.records);
  });
});

describe("texts of another tenant", () => {
  it("appear in no answer, whatever is asked for", async () => {
    const { a, b, send } = await createWorld();
    const seen: string[] = [];
    // What a role reads is decided before a store is asked.
    for (const caller of inMemory ? Object.values(a.actors) : [a.owner]) {
      for (const operation of bearers.filter(({ method }) => method === "GET")) {
        const params = (await sampleOf(operation).arrange?.(a)) ?? {};
        seen.push((await sendSample(a, operation, caller, { params })).text);
        if (operation.query && "search" in operation.query.shape) {
          for (const search of [b.sentinel, b.tenantId, b.owner.userId, "%", "_", ""]) {
            const found = await sendSample(a, operation, caller, {
              params,
              query: `?search=${encodeURIComponent(search)}`,
            });
            seen.push(found.text);
            if (search === b.sentinel && found.status === 200)
              expect(found.json.totalItems ?? found.json.totalAssets ?? found.json.metadata.count).toBe(0);
          }
        }
      }
    }
    const provider = await send("GET", `/api/v1/ai-assets?provider=${b.sentinel}`, { token: a.owner.token });
    expect(provider.json).toMatchObject({ items: [], totalItems: 0 });
    const body = { username: b.owner.username, name: "Somebody" };
    const taken = await send("POST", "/api/v1/users", { token: a.owner.token, body });
    expect(taken.status).toBe(201);
    // The request contained the name. The response may contain nothing else of the other tenant's user.
    seen.push(provider.text, taken.text.replaceAll(b.owner.username, ""));
    expect(seen.filter((text) => text.includes(b.sentinel) || text.includes(b.tenantId))).toEqual([]);
    expect(seen.filter((text) => text.includes(b.owner.userId))).toEqual([]);
  });

  it("change no total", async () => {
    const { a, b, send } = await createWorld();
    const totals = async () => {
      const lists = ["/api/v1/ai-assets", "/api/v1/users", "/api/v1/ai/activity", "/api/v1/ai-assets?assetType=agent"];
      const answers = await Promise.all(lists.map((list) => send("GET", list, { token: a.owner.token })));
      return answers.map(({ json }) => json.totalItems);
    };
    const before = await totals();
    for (let index = 0; index < 50; index += 1) await b.newAsset();
    expect(await totals()).toEqual(before);
  });

  it("may equal this tenant's own: keys are unique within a tenant", async () => {
    const { a, b } = await createWorld();
    const same = { externalRef: { id: "the same" }, name: "the same" };
    await a.newAsset({ ...same, provider: "p" });
    await expect(b.newAsset({ ...same, provider: "p" })).resolves.toMatch(/^ast_/);
    await expect(a.newAsset({ ...same, provider: "p" })).rejects.toThrow("already_exists");
  });
});

describe("hints about the tenant", () => {
  const NAMES = ["tenantId", "tenant_id", "orgId", "org_id"];
  const headersFor = (tenantId: string) => ({
    "x-tenant-id": tenantId,
    "x-tenant": tenantId,
    "x-org": tenantId,
    "x-org-id": tenantId,
    "x-forwarded-host": `${tenantId}.reeve.example`,
    host: `${tenantId}.reeve.example`,
    forwarded: `host=${tenantId}.reeve.example`,
  });

  // Two worlds with the same id sequence return the same answers, unless hints are read.
  let plain: World;
  let hinted: World;
  beforeAll(async () => {
    plain = await createWorld();
    hinted = await createWorld();
  });

  /** Databases are asked for one of so many operations, because the tenant of a request is known before a store is asked. */
  const ONE_OF = inMemory ? (inject("isQuick") ? 2 : 1) : 4;

  it.each(
    table
      .filter((one) => !sampleOf(one).elsewhere)
      .filter((_operation, at) => at % ONE_OF === 0)
      .map((operation) => [operation.id, operation] as const),
  )("change nothing for %s", async (_id, operation) => {
    const results = [];
    for (const { a, b } of [plain, hinted]) {
      const hints = a === hinted.a ? Object.fromEntries(NAMES.map((name) => [name, b.tenantId])) : undefined;
      const caller = isProviders(operation) ? a.provider.owner : await a.newUser(["owner"]);
      const params = (await sampleOf(operation).arrange?.(a, caller)) ?? {};
      const body = sampleOf(operation).body?.(a, caller);
      const query = hints ? `?${new URLSearchParams(hints)}` : "";
      const answer = await a.send(operation.method, withQuery(pathOf(operation, params, a), query), {
        token: tokenFor(operation, a, caller),
        body: body && { ...body, ...hints },
        headers: { ...headersOf(operation), ...(hints ? headersFor(b.tenantId) : {}) },
      });
      results.push(numbered({ status: answer.status, json: masked(answer.json) }));
    }
    expect(results[0]).toMatchObject({ status: operation.success.status });
    expect(results[1]).toEqual(results[0]);
  });

  it("have changed nothing in the tenant that they named", async () => {
    const [without, those] = await Promise.all(
      [plain, hinted].map(async ({ b }) => numbered(withoutCredentials(await recordsOf(b)))),
    );
    expect(those).toEqual(without);
  });

  /**
   * Ids and digests replaced by their order of appearance, because a store may retry a transaction, which skips ids.
   */
  function numbered(result: object): unknown {
    const seen = new Map<string, string>();
    const text = JSON.stringify(result).replaceAll(/\d{26}|[0-9a-f]{64}|(?<=-)\d{6}(?=[".])/g, (id) => {
      const number = seen.get(id) ?? `<${seen.size + 1}>`;
      seen.set(id, number);
      return number;
    });
    return JSON.parse(text);
  }

  /** Salts, tokens, keys and what they seal are random in each world. */
  function withoutCredentials(records: Record<string, string[]>) {
    const random = ["credentials", "refresh_tokens", "data_keys", "mcp_server_secrets", "connector_instance_secrets"];
    return Object.fromEntries(Object.entries(records).filter(([name]) => !random.includes(name)));
  }
});
