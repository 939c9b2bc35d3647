import type { ObservedCredential } from "@reeve/core/connectors";
import { createWorld as createFullWorld, ScriptedAccess, ScriptedConnector, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type Drift, type DriftBench, driftBench } from "../../helpers/drift.js";
import { eventsOf } from "../../helpers/facts.js";
import { emptyStore } from "../../helpers/stores.js";

const access = new ScriptedAccess(undefined, { credentials: true });
let world: World;
beforeAll(async () => {
  const connectors = [new ScriptedConnector().connector, access.connector];
  world = { ...(await createFullWorld({ store: await emptyStore(), connectors, tokenLifetime: 86_400 })), access };
});

const get = async (path: string) => (await world.send("GET", path, { token: world.a.owner.token })).json;
const identitiesOf = async (assetId: string) => (await get(`/api/v1/ai-assets/${assetId}/access-identities`)).items;
const unknown = (bench: DriftBench) => bench.drift("&kind=unknown_credential");

/** A target where an asset acts as somebody who has one key. */
async function benchWithKey(asset: object = {}) {
  const bench = await driftBench(world, {}, asset);
  await bench.granted();
  const [{ principal }] = await identitiesOf(bench.assetId);
  const { displayName: _none, ...who } = principal;
  const key = (externalId: string, more: Partial<ObservedCredential> = {}): ObservedCredential => ({
    ...{ externalId, principal: who, type: "key", name: `Key ${externalId}` },
    ...more,
  });
  bench.account.credentials = [key("first")];
  /** Another asset that acts as the same. */
  const another = async () => {
    const assetId = await world.a.newAsset();
    const body = { connectorInstanceId: bench.connectorInstanceId, principal: who };
    const path = `/api/v1/ai-assets/${assetId}/access-identities`;
    expect((await world.send("POST", path, { token: world.a.owner.token, body })).status).toBe(201);
    return assetId;
  };
  return { bench, key, who, another };
}

describe("a credential of a principal that an asset acts as", () => {
  it("is known when the first scan sees it, and that stands on what the asset acts as", async () => {
    const { bench } = await benchWithKey();
    const [before] = await identitiesOf(bench.assetId);
    expect(before.knownCredentials).toBeNull();
    const scan = await bench.scan();
    expect(scan).toMatchObject({ status: "complete", credentialsComplete: true, counts: { found: 0 } });
    expect(scan.kinds).toContain("unknown_credential");
    const [after] = await identitiesOf(bench.assetId);
    expect(after.knownCredentials.credentials).toEqual([{ externalId: "first", type: "key" }]);
    const events = (await eventsOf(world.a)).filter(({ attributes }) => attributes.includes(after.id));
    expect(events.some(({ attributes }) => attributes.includes("access.identity.updated"))).toBe(true);
    expect(await unknown(bench)).toEqual([]);
  });

  it("is critical when it was added later, and is confirmed by the second scan that sees it", async () => {
    const { bench, key, who } = await benchWithKey();
    await bench.scan();
    const expiresAt = new Date("2030-01-01T00:00:00.000Z");
    bench.account.credentials.push(key("second", { type: "token", expiresAt }));
    await bench.scan();
    expect(await unknown(bench)).toMatchObject([{ status: "suspected" }]);
    expect(await bench.scan()).toMatchObject({ counts: { confirmed: 1 } });
    expect(await unknown(bench)).toMatchObject([
      {
        ...{ status: "open", severity: "critical", assetId: bench.assetId, assignmentId: null, repairs: [] },
        ...{ principal: who, resource: { type: "credential", externalId: "second" } },
        diff: [{ field: "credential", desired: null, observed: { type: "token", expiresAt: expiresAt.toISOString() } }],
      },
    ]);
    bench.account.credentials = [key("first")];
    expect(await bench.scan()).toMatchObject({ counts: { resolved: 1 } });
    expect(await unknown(bench)).toMatchObject([{ status: "resolved" }]);
  });

  it("is let be with a reason by somebody who knows it", async () => {
    const { bench, key } = await benchWithKey();
    await bench.scan();
    bench.account.credentials.push(key("second"));
    for (let count = 0; count < 2; count += 1) await bench.scan();
    const [{ id }] = (await unknown(bench)) as [Drift];
    const body = { reason: "It is the key of the new build." };
    expect((await bench.actOn(id, "suppress", body)).json).toMatchObject({ status: "suppressed" });
    await bench.scan();
    expect(await unknown(bench)).toMatchObject([{ status: "suppressed" }]);
  });

  it("is not let be by the owner of what acts with it, whatever role that is", async () => {
    const officer = world.a.actors.governance_officer;
    const { bench, key } = await benchWithKey({ owner: { type: "user", id: officer.userId } });
    await bench.scan();
    bench.account.credentials.push(key("second"));
    for (let count = 0; count < 2; count += 1) await bench.scan();
    const [{ id }] = (await unknown(bench)) as [Drift];
    const until = new Date(world.clock.now() + 86_400_000).toISOString();
    for (const [verb, body] of [
      ["suppress", {}],
      ["accept", { until }],
    ] as const) {
      const refused = await bench.actOn(id, verb, { reason: "It is a key of mine, I think.", ...body }, officer);
      expect([verb, refused.status, refused.json.code]).toEqual([verb, 403, "self_approval_forbidden"]);
    }
    expect(await unknown(bench)).toMatchObject([{ status: "open" }]);
  });

  it("is not made known by saying anew what the asset acts as", async () => {
    const { bench, key, another } = await benchWithKey();
    await bench.scan();
    bench.account.credentials.push(key("second"));
    await bench.scan();
    const other = await another();
    await bench.scan();
    const [identity] = await identitiesOf(other);
    expect(identity.knownCredentials.credentials).toEqual([{ externalId: "first", type: "key" }]);
    expect(await unknown(bench)).toMatchObject([{ status: "open", assetId: null }]);
  });

  it("is concluded to be gone, or to be known, from a whole listing only", async () => {
    const { bench, key, another } = await benchWithKey();
    await bench.scan();
    bench.account.credentials.push(key("second"));
    for (let count = 0; count < 2; count += 1) await bench.scan();
    bench.account.credentials = [];
    bench.account.incomplete = true;
    expect(await bench.scan()).toMatchObject({ status: "partial", credentialsComplete: false });
    expect(await unknown(bench)).toMatchObject([{ status: "open" }]);
    const other = await another();
    await bench.scan();
    expect((await identitiesOf(other))[0].knownCredentials).toBeNull();
  });

  it("is read page by page, and one that cannot be used makes the listing incomplete", async () => {
    const { bench, key } = await benchWithKey();
    bench.account.pageSize = 2;
    bench.account.credentials = Array.from({ length: 5 }, (_, at) => key(`key ${at}`));
    expect(await bench.scan()).toMatchObject({ credentialsComplete: true });
    const [{ knownCredentials }] = await identitiesOf(bench.assetId);
    expect(knownCredentials.credentials).toHaveLength(5);
    bench.account.credentials.push(key("x", { type: "charm" as never }));
    expect(await bench.scan()).toMatchObject({ status: "partial", credentialsComplete: false, counts: { found: 0 } });
  });

  it("is one of fifty at most, so that a target that lists more fills nothing and makes nothing known", async () => {
    const { bench, key } = await benchWithKey();
    bench.account.credentials = Array.from({ length: 51 }, (_, at) => key(`key ${at}`));
    expect(await bench.scan()).toMatchObject({ status: "partial", credentialsComplete: false });
    expect((await identitiesOf(bench.assetId))[0].knownCredentials).toBeNull();
    expect(await unknown(bench)).toEqual([]);
  });

  it("is shown to no other tenant", async () => {
    const { bench, key } = await benchWithKey();
    await bench.scan();
    bench.account.credentials.push(key("second"));
    await bench.scan();
    const [{ id }] = (await unknown(bench)) as [Drift];
    const { token } = world.b.owner;
    expect((await world.send("GET", `/api/v1/access-drift/${id}`, { token })).status).toBe(404);
  });
});
