import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { type ClientCredential, clientCredentials } from "#families/identity/index.js";
import type { Collection } from "#kernel/records/collection.js";
import { collections } from "#reference/index.js";
import type { StoredRecord } from "#store/index.js";
import { providerOf } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;
const reason = "for the sake of this test";

interface Item {
  readonly kind: string;
  readonly title: string;
  readonly count: number;
  readonly href: string;
  readonly at: string | null;
}

const assets = collections.find(({ name }) => name === "ai_assets") as Collection;

let world: World;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400, rateLimits: "off" });
});

const send = async (method: string, path: string, body?: object, actor = world.a.owner) => {
  const answer = await world.send(method, path, {
    token: actor.token,
    headers: { "if-match": "*" },
    ...(body ? { body } : {}),
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const items = async (scene = world.a): Promise<Item[]> =>
  (await send("GET", "/api/v1/ai/overview?size=100", undefined, scene.owner)).attention.items;
const found = async (kind: string, scene = world.a) => (await items(scene)).filter((item) => item.kind === kind);
const govern = (id: string, body: object, actor = world.a.actors.governance_officer) =>
  send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { reason, ...body }, actor);
const later = (ms: number) => new Date(world.clock.now() + ms).toISOString();
/** The number of records behind a link: of a list its total, of a record one. */
const behind = async (href: string): Promise<number> => (await send("GET", href)).totalItems ?? 1;

describe("E11 an item of attention", () => {
  it("leads to a list of exactly what it counts", async () => {
    const { a } = world;
    const suspended = await a.newAsset();
    await govern(suspended, { status: "suspended" });
    await govern(await a.newAsset(), { status: "under_review" }, a.owner);
    const discovered = [{ name: "shadow", externalRef: { id: "shadow" }, source: "discovery" }];
    await send("POST", "/api/v1/ai-assets/import", { items: discovered });
    const session = await a.newSession();
    await send("POST", `/api/v1/ai/sessions/${session}/terminate`, { reason });
    await send("POST", `/api/v1/ai/sessions/${await a.newSession()}/suspend`, { reason });
    const asset = await a.newAsset();
    for (const severity of ["critical", "high"] as const) await a.newFinding(asset, { severity });
    world.mcp.report("https://mcp.example/one", { tools: [] });
    const seen = await items();
    expect(new Set(seen.map(({ kind }) => kind))).toEqual(
      new Set([
        "approvals_requested",
        "assets_suspended",
        "assets_under_review",
        "assets_unregistered",
        "exemptions_requested",
        "findings_critical",
        "findings_high",
        "sessions_suspended",
        "terminations_unconfirmed",
        "tools_pending",
      ]),
    );
    for (const { kind, count, href } of seen) expect([kind, await behind(href)]).toEqual([kind, count]);
    const [one] = await found("assets_suspended");
    const { items: listed } = await send("GET", one?.href as string);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([suspended]);
  });

  it("tells of kill switches that stop assets of this tenant, and of no other", async () => {
    const { a, b } = world;
    const id = await a.newAsset({ name: "the ledger" });
    const provider = providerOf(world);
    const engage = async (key: string, configuration?: object) => {
      const moved = await provider.post(`kill-switches/${key}`, {
        status: "engaged",
        ...(configuration ? { configuration } : {}),
      });
      expect(moved.status).toBe(200);
    };
    await engage(`ai.asset.${id}`, { tenantId: a.tenantId });
    await engage("connectors.outbound");
    expect(await found("kill_switch_engaged")).toMatchObject([
      { severity: "critical", title: 'Switched off by the provider: "the ledger"', href: `/api/v1/ai-assets/${id}` },
    ]);
    expect(await found("kill_switch_engaged", b)).toEqual([]);
    await engage("ai.mcp");
    await engage(`ai.tenant.${b.tenantId}`);
    expect((await found("kill_switch_engaged")).map(({ href }) => href).sort()).toEqual([
      `/api/v1/ai-assets/${id}`,
      "/api/v1/ai-assets?assetType=mcp_server",
    ]);
    expect((await found("kill_switch_engaged", b)).map(({ title }) => title).sort()).toEqual([
      "Switched off by the provider: Every AI asset of this tenant",
      "Switched off by the provider: Every MCP server",
    ]);
  });

  it("tells of conditions that are not met in time", async () => {
    const { a } = world;
    const id = await a.newAsset();
    await govern(id, { status: "under_review" }, a.owner);
    const conditions = [
      { key: "logging", text: "Log it.", dueAt: later(2 * DAY) },
      { key: "later", text: "Review it.", dueAt: later(20 * DAY) },
    ];
    await govern(id, { status: "conditionally_approved", configuration: { conditions } }, a.actors.approver);
    expect(await found("conditions_overdue")).toEqual([]);
    const dueAt = later(2 * DAY);
    world.clock.advance(2 * DAY);
    a.actors.owner = await a.signIn(a.owner.userId, a.owner);
    const [item] = await found("conditions_overdue");
    expect(item).toMatchObject({ title: "1 condition is not met in time", count: 1, at: dueAt });
    const { items: listed } = await send("GET", item?.href as string);
    expect(listed.map(({ key }: { key: string }) => key)).toEqual(["logging"]);
  });

  it("tells of agents in production without an owner", async () => {
    const { a } = world;
    const row = async (assetType: string, owner: object | null) => {
      const id = await a.newAsset({ assetType, owner });
      const reader = world.store.forTenant(a.tenantId);
      const before = (await reader.get(assets, id))?.value as StoredRecord;
      const after = { ...before, status: "production", version: before.version + 1 };
      await reader.replace(assets, after, before);
      return id;
    };
    const unowned = await row("agent", null);
    await row("model", null);
    await row("agent", { type: "external", id: "x", name: "X" });
    const [item] = await found("agents_unowned");
    expect(item).toMatchObject({ severity: "high", title: "1 agent in production has no owner", count: 1 });
    const { items: listed } = await send("GET", item?.href as string);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([unowned]);
  });

  it("tells of models that retire and of credentials that end within thirty days", async () => {
    const { a } = world;
    await a.newModel({ name: "soon", providerRetirementAt: later(20 * DAY) });
    await a.newModel({ name: "far", providerRetirementAt: later(40 * DAY) });
    expect(await found("model_retiring")).toMatchObject([
      { title: 'The model "soon" is taken out of service by its provider', at: later(20 * DAY) },
    ]);
    const identityId = await a.newIdentity({ name: "builder" });
    await a.newCredential(identityId, { name: "first", expiresAt: later(10 * DAY) });
    await a.newCredential(identityId, { name: "second", expiresAt: later(60 * DAY) });
    const [item, ...more] = await found("credential_expiring");
    expect(more).toEqual([]);
    expect(item).toMatchObject({ title: 'The credential "first" of "builder" ends', at: later(10 * DAY) });
    expect(item?.href).toBe(`/api/v1/ai/identities/${identityId}/credentials`);
    const { items: listed } = await send("GET", item?.href as string);
    expect(listed.map(({ name }: { name: string }) => name)).toContain("first");
    expect(await found("credential_expiring", world.b)).toEqual([]);
  });

  it("tells of a credential that ends behind many that were replaced", async () => {
    const { a } = world;
    const identityId = await a.newIdentity({ name: "builder" });
    const reader = world.store.forTenant(a.tenantId);
    const { id: first } = await a.newCredential(identityId, { name: "last", expiresAt: later(20 * DAY) });
    const stored = (await reader.get(clientCredentials, first))?.value as ClientCredential;
    const replaced = Array.from({ length: 300 }, (_, n) => ({
      ...stored,
      id: `crd_${String(n).padStart(26, "0")}`,
      replacedBy: first,
      expiresAt: later(5 * DAY),
    }));
    await reader.insertMany(clientCredentials, replaced);
    expect(await found("credential_expiring")).toMatchObject([{ at: later(20 * DAY) }]);
  });
});
