import { type Answer, newAdoption, sampleOf, sendSample, table } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { operations } from "#families/index.js";
import { CAPABILITIES } from "#families/platform/index.js";
import { TAG_DESCRIPTIONS } from "#families/tags.js";
import type { Operation } from "#kernel/operation/operation.js";
import { Router } from "#kernel/pipeline/router.js";
import {
  collections,
  ERRORS,
  errorCodesOf,
  machines,
  PERMISSIONS,
  REVIEW_ACTIONS,
  ROLES,
  TENANT_ROLES,
} from "#reference/index.js";
import { PLATFORM_TENANT } from "#testing/index.js";
import { published } from "../fixtures/published-operations.js";
import { eventsOf, isProviders, mutates, OF_THE_PLATFORM } from "../helpers/facts.js";
import { tableMistakes } from "../helpers/table-mistakes.js";
import { createWorld } from "../helpers/world.js";

/** Operations without a caller whose event is in another tenant: the new one, or the platform's. */
const EVENT_ELSEWHERE: Readonly<Record<string, (answer: Answer) => string>> = {
  "registration.register": ({ json }) => json.tenantId,
  "email.sendOtp": () => PLATFORM_TENANT,
  "email.verifyOtp": () => PLATFORM_TENANT,
};

const ofOperations = table.flatMap(({ access }) => (typeof access === "object" ? [access.permission] : []));
const ofReviews = Object.values(REVIEW_ACTIONS).map(({ permission }) => permission);
/** Required for some request contents only: an exemption by selector. */
const OF_CONTENT = [
  "ai-exemption:broad",
  "access-request:exempt",
  "ai-asset:provenance",
  "connector:assign",
  "saved-view:share",
];
const ofTransitions = machines.flatMap(({ transitions }) => transitions.flatMap(({ permission }) => permission ?? []));

/** The full type, with members that the public table omits. */
const declared: readonly Operation[] = operations;

describe("operation table", () => {
  it("has no mistake", () => {
    expect(tableMistakes(declared, TAG_DESCRIPTIONS)).toEqual([]);
  });

  it.each([
    ["id is not <resource>.<verb>", { id: "Users" }],
    ['unknown tag "Nothing"', { tag: "Nothing" }],
    ["summary must be one sentence without a full stop", { summary: "List users." }],
    ["path outside /api/v1 needs a mount", { path: "/users" }],
    ["204, 303 and a schema exclude each other", { success: { status: 204, media: "text/html" } }],
    ['path parameter "id" is not declared', { path: "/api/v1/users/{id}" }],
    ["an operation without a bearer opens its own transactions", { access: "public", method: "POST" }],
    ["GET neither takes a body nor writes", { effect: "write" }],
  ])("finds: %s", (mistake, change) => {
    const sound = declared.find(({ id }) => id === "users.list");
    expect(tableMistakes([{ ...sound, ...change } as Operation], TAG_DESCRIPTIONS).join()).toContain(mistake);
  });

  it("finds an id used twice and two operations on one route", () => {
    const mistakes = tableMistakes([...declared.slice(0, 1), ...declared.slice(0, 1)], TAG_DESCRIPTIONS).join();
    expect(mistakes).toContain("id is used twice");
    expect(mistakes).toContain("same route as");
  });

  it("uses only permissions that exist and that some role holds", () => {
    const held = new Set<string>(Object.values(ROLES).flat());
    const used = [...new Set([...ofOperations, ...ofTransitions, ...ofReviews, ...OF_CONTENT])];
    expect(used.filter((permission) => !(permission in PERMISSIONS) || !held.has(permission))).toEqual([]);
  });

  it("gives support permissions to provider roles only, and asks for them in the provider's tenant only", () => {
    const support = Object.keys(PERMISSIONS).filter((permission) => permission.startsWith("support:"));
    const ofTenants = new Set<string>(Object.values(TENANT_ROLES).flat());
    expect(support.filter((permission) => ofTenants.has(permission))).toEqual([]);
    for (const operation of table) {
      const { access, tag, id } = operation;
      const needs = typeof access === "object" && support.includes(access.permission);
      expect([id, isProviders(operation)]).toEqual([id, needs]);
      expect([id, tag === "Provider Support"]).toEqual([id, needs]);
    }
  });

  it("never lets a kill switch stop the ways to release it", () => {
    const ways = table.filter(({ path }) => path.startsWith("/api/v1/support/kill-switches"));
    expect(ways).toHaveLength(2);
    expect(ways.flatMap(({ killSwitches = [] }) => killSwitches)).toEqual([]);
  });

  it("has no permission that nothing asks for", () => {
    const used = new Set([...ofOperations, ...ofTransitions, ...ofReviews, ...OF_CONTENT]);
    expect(Object.keys(PERMISSIONS).filter((permission) => !used.has(permission))).toEqual([]);
  });

  it("declares only capabilities and error codes that exist", () => {
    for (const { access, errors = [] } of table) {
      if (typeof access === "object" && access.capability) expect(CAPABILITIES).toHaveProperty(access.capability);
      for (const code of errors) expect(ERRORS).toHaveProperty(code);
    }
  });

  it("has no error code that no operation can answer", () => {
    const documented = new Set(table.flatMap(errorCodesOf));
    const ofTheRouter = ["method_not_allowed", "route_not_found"];
    const ofGateways = ["session_missing", "session_blocked", "session_unknown"];
    const others = [...ofTheRouter, ...ofGateways];
    const unused = Object.keys(ERRORS).filter((code) => !documented.has(code as keyof typeof ERRORS));
    expect(unused.filter((code) => !others.includes(code))).toEqual([]);
  });

  it("gives no two operations the same summary", () => {
    const summaries = table.map(({ summary }) => summary);
    expect(summaries.filter((summary, index) => summaries.indexOf(summary) !== index)).toEqual([]);
  });
});

describe("every mutating operation", () => {
  it.each(
    table
      .filter((one) => mutates(one) && !one.quiet && !sampleOf(one).elsewhere)
      .map((operation) => [operation.id, operation] as const),
  )("%s succeeds and writes an event", async (id, operation) => {
    const { a } = await createWorld();
    const params = (await sampleOf(operation).arrange?.(a)) ?? {};
    const home = isProviders(operation) ? a.provider : a;
    const streams = [home.tenantId, PLATFORM_TENANT];
    const before = new Map<string, number>();
    for (const tenantId of streams) before.set(tenantId, (await eventsOf({ store: a.store, tenantId })).length);
    const answer = await sendSample(a, operation, a.callerOf(operation), { params });
    expect(answer.status).toBe(operation.success.status);
    const tenantId = EVENT_ELSEWHERE[id]?.(answer) ?? home.tenantId;
    const after = await eventsOf({ store: a.store, tenantId });
    expect(after.length).toBeGreaterThan(before.get(tenantId) ?? 0);
  });

  it("but for quiet ones, which write none", async () => {
    const { a } = await createWorld();
    const quiet = table.filter((one) => one.quiet);
    expect(quiet.map(({ id }) => id)).toEqual([
      "aiSessions.heartbeat",
      "agentTools.list",
      "notices.mark",
      "notices.markAll",
    ]);
    for (const operation of quiet) {
      const params = (await sampleOf(operation).arrange?.(a)) ?? {};
      const before = await eventsOf(a);
      expect((await sendSample(a, operation, a.owner, { params })).status).toBe(operation.success.status);
      expect(await eventsOf(a)).toEqual(before);
    }
  });

  it("and every reading one answers its sample without writing", async () => {
    const { a } = await createWorld();
    for (const operation of table.filter((candidate) => !mutates(candidate))) {
      const params = (await sampleOf(operation).arrange?.(a)) ?? {};
      const before = [await eventsOf(a), await eventsOf(a.provider)];
      const answer = await sendSample(a, operation, a.callerOf(operation), { params });
      expect(answer.status).toBe(sampleOf(operation).elsewhere ?? operation.success.status);
      expect([await eventsOf(a), await eventsOf(a.provider)]).toEqual(before);
    }
  });
});

describe("every collection that is a resource", () => {
  it("has a record in each tenant of the test world", async () => {
    const world = await createWorld();
    // Not in every world, because only adopted frameworks count then.
    for (const scene of [world.a, world.b]) await newAdoption(scene);
    for (const collection of collections.filter(({ resource }) => resource)) {
      const homes = OF_THE_PLATFORM.includes(collection.name) ? [{ tenantId: PLATFORM_TENANT }] : [world.a, world.b];
      for (const { tenantId } of homes) {
        const rows = await world.store.forTenant(tenantId).scan(collection, { size: 1 });
        expect(rows, collection.name).toHaveLength(1);
      }
    }
  });
});

describe("routing of the published paths", () => {
  const shapes = published.map(([method, path]) => ({ method, path }));
  const router = new Router(
    shapes.map((shape) => ({ ...table[0], ...shape, id: `${shape.method} ${shape.path}` }) as never),
  );
  const reached = (method: string, path: string) => {
    const match = router.match(method, path);
    return match.kind === "operation" ? match.operation.path : match.kind;
  };

  it("prefers a literal segment to a parameter wherever both could match", () => {
    const collisions = shapes.flatMap((literal) =>
      shapes
        .filter(
          (other) => other.method === literal.method && other.path !== literal.path && covers(other.path, literal.path),
        )
        .map(() => literal),
    );
    expect(collisions).toHaveLength(10);
    for (const { method, path } of collisions) {
      expect(reached(method, path.replaceAll(/\{\w+\}/g, "some-id"))).toBe(path);
    }
  });

  it.each([
    ["/agents/health", "/agents/health"],
    ["/cache/health", "/cache/health"],
    ["/api/v1/connectors/categories", "/api/v1/connectors/categories"],
    ["/api/v1/connectors/enabled", "/api/v1/connectors/enabled"],
    ["/api/v1/connectors/statuses", "/api/v1/connectors/statuses"],
    ["/api/v1/integrations/some-id/activity/summary", "/api/v1/integrations/{id}/activity/summary"],
    ["/api/v1/catalog/instances/pipeline", "/api/v1/catalog/instances/pipeline"],
    ["/api/v1/saml-apps/health", "/api/v1/saml-apps/health"],
    ["/api/v1/ai/compliance/posture", "/api/v1/ai/compliance/posture"],
  ])("GET %s is its own operation", (path, operation) => {
    expect(reached("GET", path)).toBe(operation);
  });

  it("reaches every published operation by an example of its path", () => {
    for (const { method, path } of shapes) expect(reached(method, path.replaceAll(/\{\w+\}/g, "some-id"))).toBe(path);
  });
});

/** Whether `pattern` matches every path of `literal`, with parameters in place of literals. */
function covers(pattern: string, literal: string): boolean {
  const [a, b] = [pattern.split("/"), literal.split("/")];
  return (
    a.length === b.length &&
    a.every((segment, index) => segment.startsWith("{") || segment === b[index]) &&
    a.some((segment, index) => segment.startsWith("{") && !b[index]?.startsWith("{"))
  );
}
