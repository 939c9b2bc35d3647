import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const AGENTS = "/api/v1/ai/agents";
const REASON = "a reason of more than ten characters";
const DAY = 86_400_000;

let world: World;
/** Forty agents: each second one waits for review, each fourth has a high risk, each fifth has another owner. */
const made: { name: string; assetId: string; waits: boolean; high: boolean; theirs: boolean }[] = [];
const them = "usr_somebody_else";

beforeAll(async () => {
  world = await createWorld({ tokenLifetime: DAY / 1_000 });
  for (let index = 0; index < 40; index += 1) {
    const one = {
      name: `desk ${String(index).padStart(2, "0")}`,
      waits: index % 2 === 0,
      high: index % 4 === 0,
      theirs: index % 5 === 0,
    };
    const asset = await send("POST", ASSETS, {
      name: one.name,
      assetType: "agent",
      riskTier: one.high ? "high" : "limited",
      owner: { type: "external", id: one.theirs ? them : "usr_me", name: "n" },
    });
    if (one.waits) await govern(asset.id, "under_review");
    made.push({ ...one, assetId: asset.id });
  }
});

async function send(method: string, path: string, body?: object, token = world.a.owner.token) {
  const answer = await world.send(method, path, { token, body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
}
const govern = (assetId: string, status: string, token?: string, configuration?: object) =>
  send("PATCH", `${ASSETS}/${assetId}/governance-state`, { status, reason: REASON, configuration }, token);
const list = (path: string, token?: string) => send("GET", path, undefined, token);
const names = async (path: string, token?: string): Promise<string[]> =>
  (await list(path, token)).items.map(({ name }: { name: string }) => name);
const namesOf = (keep: (one: (typeof made)[number]) => boolean) => made.filter(keep).map(({ name }) => name);

describe.each([ASSETS, AGENTS])("a reviewer at %s", (path) => {
  const reviewer = () => world.a.actors.approver.token;

  it("finds what waits, the risky first in the order asked for", async () => {
    const query = "governanceState=under_review&riskTier=high&sort=name&size=100";
    expect(await names(`${path}?${query}`, reviewer())).toEqual(namesOf(({ waits, high }) => waits && high));
    const descending = await names(`${path}?${query.replace("sort=name", "sort=-name")}`, reviewer());
    expect(descending).toEqual(namesOf(({ waits, high }) => waits && high).reverse());
  });

  it("finds what one of several values holds of, and what a word says", async () => {
    const both = await names(`${path}?riskTier=high,limited&search=desk&sort=name&size=100`, reviewer());
    expect(both).toEqual(namesOf(() => true));
    expect(await names(`${path}?search=desk+07`, reviewer())).toEqual(["desk 07"]);
  });

  it("finds an owner's", async () => {
    const { totalItems, totalRelation } = await list(`${path}?owner=${them}`, reviewer());
    expect([totalItems, totalRelation]).toEqual([8, "exact"]);
    const waiting = await names(`${path}?owner=${them}&governanceState=under_review&sort=name`, reviewer());
    expect(waiting).toEqual(namesOf(({ theirs, waits }) => theirs && waits));
  });

  it("of another tenant finds none of them", async () => {
    const { token } = world.b.actors.approver;
    expect(await names(`${path}?owner=${them}`, token)).toEqual([]);
    expect(await names(`${path}?search=desk&governanceState=under_review,unreviewed`, token)).toEqual([]);
  });
});

describe("rows", () => {
  it("carry what is decided by, and lead from asset to record and back", async () => {
    const { name, assetId } = made[0] as (typeof made)[number];
    const [agent] = (await list(`${AGENTS}?assetId=${assetId}`)).items;
    expect(agent).toMatchObject({
      name,
      assetId,
      status: "active",
      lifecycle: "registered",
      governanceState: "under_review",
      riskTier: "high",
      approvedUntil: null,
      owner: { id: them },
    });
    const asset = await list(`${ASSETS}/${assetId}`);
    expect(asset.record).toEqual({ type: "ai_agent", id: agent.id, path: `${AGENTS}/${agent.id}` });
    expect(await list(asset.record.path)).toEqual(agent);
    const plain = await send("POST", ASSETS, { assetType: "application" });
    expect(plain.record).toBeNull();
  });

  it("refuse to have it changed through the record", async () => {
    const { assetId } = made[1] as (typeof made)[number];
    const [agent] = (await list(`${AGENTS}?assetId=${assetId}`)).items;
    const body = { governanceState: "approved" };
    const answer = await world.send("PUT", `${AGENTS}/${agent.id}`, { token: world.a.owner.token, body });
    expect([answer.status, answer.json.code]).toEqual([400, "read_only_property"]);
  });

  it.each(["agents", "tools", "models", "identities", "mcp-servers"])(
    "of %s can be had in every order",
    async (kind) => {
      for (const sort of ["name", "-updatedAt", "createdAt", "name,-createdAt"])
        await list(`/api/v1/ai/${kind}?sort=${sort}&governanceState=unreviewed&environment=unknown,production`);
    },
  );
});

describe("an approval that runs out", () => {
  it("moves the record from filter to filter before any tick, and after it", async () => {
    const own = await createWorld({ tokenLifetime: DAY / 1_000 });
    const ask = async (method: string, path: string, body?: object, token = own.a.owner.token) =>
      (await own.send(method, path, { token, body })).json;
    const agent = await ask("POST", AGENTS, { name: "short-lived" });
    const state = `${ASSETS}/${agent.assetId}/governance-state`;
    const until = new Date(own.clock.now() + 60_000).toISOString();
    await ask("PATCH", state, { status: "under_review" }, own.a.actors.operator.token);
    const configuration = { approvedUntil: until };
    await ask("PATCH", state, { status: "approved", reason: REASON, configuration }, own.a.actors.approver.token);
    const found = async (wanted: string) => {
      const { items, totalItems } = await ask("GET", `${AGENTS}?governanceState=${wanted}&search=short-lived`);
      return [totalItems, items.map((item: { governanceState: string }) => item.governanceState)];
    };
    expect(await found("approved")).toEqual([1, ["approved"]]);
    own.clock.advance(60_000);
    for (const round of ["before the tick", "after it"]) {
      expect(await found("approved"), round).toEqual([0, []]);
      expect(await found("expired"), round).toEqual([1, ["expired"]]);
      expect((await ask("GET", `${AGENTS}/${agent.id}`)).governanceState, round).toBe("expired");
      await own.controlPlane.tick();
    }
  });

  it("leaves an identity as it is, and an identity that runs out leaves the approval", async () => {
    const own = await createWorld({ tokenLifetime: DAY / 1_000 });
    const path = "/api/v1/ai/identities";
    const ask = async (method: string, target: string, body?: object, token = own.a.owner.token) =>
      (await own.send(method, target, { token, body })).json;
    const at = (ms: number) => new Date(own.clock.now() + ms).toISOString();
    const identity = await ask("POST", path, { name: "key", credentialExpiresAt: at(120_000) });
    const state = `${ASSETS}/${identity.assetId}/governance-state`;
    const configuration = { approvedUntil: at(60_000) };
    await ask("PATCH", state, { status: "under_review" }, own.a.actors.operator.token);
    await ask("PATCH", state, { status: "approved", reason: REASON, configuration }, own.a.actors.approver.token);
    const found = async (query: string) => (await ask("GET", `${path}?search=key&${query}`)).totalItems;
    own.clock.advance(60_000);
    expect(await found("status=active&governanceState=expired")).toBe(1);
    const changed = await ask("PUT", `${path}/${identity.id}`, { metadata: { touched: true } });
    expect(changed).toMatchObject({ status: "active" });
    expect(await found("status=active&governanceState=expired")).toBe(1);
    own.clock.advance(60_000);
    expect(await found("status=active")).toBe(0);
    expect(await found("status=expired&governanceState=expired")).toBe(1);
    await own.controlPlane.tick();
    expect(await found("status=expired&governanceState=expired")).toBe(1);
  });
});

describe("an order by what time changes", () => {
  it("shows every record once by cursor, before any tick and after it", async () => {
    const own = await createWorld({ tokenLifetime: DAY / 1_000 });
    const path = "/api/v1/ai/identities";
    const ask = async (method: string, target: string, body?: object, token = own.a.owner.token) =>
      (await own.send(method, target, { token, body })).json;
    const minutes = (count: number) => new Date(own.clock.now() + count * 60_000).toISOString();
    const ids: string[] = [];
    // The approval of one ends first, the credentials of another. Each keeps the rest waiting for a tick.
    for (const [credentials, approval] of [
      [90, 10],
      [10, 90],
      [80, 90],
      [85, 90],
    ] as const) {
      const identity = await ask("POST", path, { name: "in order", credentialExpiresAt: minutes(credentials) });
      const state = `${ASSETS}/${identity.assetId}/governance-state`;
      const configuration = { approvedUntil: minutes(approval) };
      await ask("PATCH", state, { status: "under_review" }, own.a.actors.operator.token);
      await ask("PATCH", state, { status: "approved", reason: REASON, configuration }, own.a.actors.approver.token);
      ids.push(identity.id);
    }
    own.clock.advance(10 * 60_000);
    for (let round = 0; round < 2; round += 1) {
      for (const sort of ["expiresAt", "-expiresAt"]) {
        const found: string[] = [];
        let cursor: string | null = "";
        while (cursor !== null) {
          const next = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
          const listed = await ask("GET", `${path}?governanceState=approved&sort=${sort}&size=1${next}`);
          found.push(...listed.items.map(({ id }: { id: string }) => id));
          cursor = listed.nextCursor;
        }
        expect(found.sort(), `${sort} in round ${round}`).toEqual(ids.slice(1).sort());
      }
      await own.controlPlane.tick();
    }
  });
});

describe("sessions and users", () => {
  it("are found by agent, whichever of its ids is named, and by how they stand", async () => {
    const agent = await send("POST", AGENTS, { name: "runner" });
    const one = await send("POST", "/api/v1/ai/sessions", { agentId: agent.id, environment: "test" });
    const two = await send("POST", "/api/v1/ai/sessions", { agentId: agent.assetId, environment: "staging" });
    const found = async (query: string) =>
      (await list(`/api/v1/ai/sessions?${query}`)).items.map(({ id }: { id: string }) => id);
    expect(await found(`agentId=${agent.id}&sort=createdAt`)).toEqual([one.id, two.id]);
    expect(await found(`agentId=${agent.assetId}&environment=staging`)).toEqual([two.id]);
    await send("PUT", `/api/v1/ai/sessions/${two.id}`, { status: "terminated", reason: REASON });
    expect(await found(`agentId=${agent.id}&status=active`)).toEqual([one.id]);
  });

  it("of people come in the order of their addresses, and owners by themselves", async () => {
    const all = (await list("/api/v1/users?sort=username&size=100")).items;
    const addresses = all.map(({ username }: { username: string }) => username);
    expect(addresses.length).toBeGreaterThan(3);
    expect(addresses).toEqual([...addresses].sort());
    const owners = (await list("/api/v1/users?ownership=owner&status=active")).items;
    expect(owners.map(({ roles }: { roles: string[] }) => roles.includes("owner"))).toEqual([true]);
  });
});
