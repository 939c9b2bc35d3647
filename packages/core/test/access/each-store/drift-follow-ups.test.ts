import { ConnectorError, defineConnector, type GrantSpec } from "@reeve/core/connectors";
import {
  type Actor,
  createWorld as createFullWorld,
  ScriptedAccess,
  ScriptedConnector,
  type World,
} from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type Drift, type DriftBench, driftBench } from "../../helpers/drift.js";
import { emptyStore } from "../../helpers/stores.js";

const access = new ScriptedAccess();
const { manifest, ...methods } = access.connector;
/** Grants that the target was asked for, with the end that it was told. */
const asked: (readonly [string, Date | null | undefined])[] = [];
/** A target that ends access itself. */
const ending = defineConnector({
  ...methods,
  manifest: { ...manifest, providerKey: "ending", expiry: "native" },
  async grant(ctx, spec) {
    asked.push(["grant", spec.expiresAt]);
    return (await methods.grant?.(ctx, spec)) as never;
  },
});

const { listGrants: _list, ...unlistedMethods } = methods;
/** It can be asked for one grant at a time only. */
const unlisted = defineConnector({
  ...unlistedMethods,
  manifest: {
    ...manifest,
    providerKey: "unlisted",
    capabilities: manifest.capabilities.filter((one) => one !== "observe"),
  },
});

let world: World;
beforeAll(async () => {
  // Tests move the clock by days.
  const connectors = [new ScriptedConnector().connector, access.connector, ending, unlisted];
  world = { ...(await createFullWorld({ store: await emptyStore(), connectors, tokenLifetime: 86_400 })), access };
});

const reason = "because a test wants it so";
const ok = async (method: string, path: string, body?: object, as: Actor = world.a.actors.owner) => {
  const answer = await world.send(method, path, {
    token: as.token,
    headers: { "if-match": "*" },
    ...(body ? { body } : {}),
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const tick = () => world.controlPlane.tick();

async function strange(): Promise<{ bench: DriftBench; drift: Drift }> {
  const bench = await driftBench(world);
  await bench.granted();
  bench.add({ profileExternalId: "write" });
  await bench.scan();
  const [drift] = (await bench.drift("&kind=unmanaged_in_target")) as [Drift];
  return { bench, drift };
}

describe("access that nobody granted", () => {
  it("is adopted by a request that others decide, and is no difference from then on", async () => {
    const { bench, drift } = await strange();
    expect(drift.repairs).toEqual(["revoke", "adopt"]);
    const approver = await world.a.newUser(["approver"]);
    const covers = { connectorInstanceIds: [bench.connectorInstanceId] };
    const stages = [{ approvers: [{ kind: "user", id: approver.userId }] }];
    await ok("POST", "/api/v1/access-policies", { name: `of ${drift.id}`, covers, stages });
    expect((await bench.actOn(drift.id, "repair", { reason })).json).toMatchObject({
      errors: [{ pointer: "/action" }],
    });
    const reported = (await bench.actOn(drift.id, "repair", { reason, action: "adopt" })).json;
    expect(reported).toMatchObject({ action: "adopt", status: "open", reversible: true });
    const at = `/api/v1/access-requests/${reported.followUpId}`;
    const request = await ok("GET", at);
    expect(request).toMatchObject({ type: "adopt", status: "pending_approval", requestedBy: world.a.owner.userId });
    const again = await bench.actOn(drift.id, "repair", { reason, action: "adopt" });
    expect([again.status, again.json.code]).toEqual([409, "duplicate_request"]);
    const { scopeHash: expectedScopeHash } = request;
    await ok("POST", `${at}/approve`, { expectedScopeHash, reason }, approver);
    bench.account.calls.length = 0;
    await tick();
    const done = await ok("GET", at);
    expect(done.status).toBe("provisioned");
    expect(await bench.read(done.items[0].assignmentId)).toMatchObject({ status: "active", source: "adopted" });
    expect(bench.account.calls).not.toContain("grant");
    expect(await bench.drift("&kind=unmanaged_in_target")).toMatchObject([{ status: "resolved" }]);
    expect(bench.account.held.size).toBe(2);
  });

  it("is not adopted by those who may ask for nothing, nor by another tenant", async () => {
    const { bench, drift } = await strange();
    const auditor = await world.a.newUser(["auditor"]);
    const wanted = { reason, action: "adopt" };
    expect((await bench.actOn(drift.id, "repair", wanted, auditor)).status).toBe(403);
    expect((await bench.actOn(drift.id, "repair", wanted, world.b.actors.owner)).status).toBe(404);
  });
});

describe("access whose owner has left", () => {
  it("is certified by those who answer for the target, once", async () => {
    const bench = await driftBench(world);
    const id = await bench.granted();
    const owner = await world.a.newUser(["member"]);
    const given = { owner: { type: "user", id: owner.userId, name: owner.username } };
    await ok("PUT", `/api/v1/ai-assets/${bench.assetId}`, given);
    await ok("PATCH", `/api/v1/users/${owner.userId}`, { status: "disabled", reason });
    await bench.scan();
    const [drift] = (await bench.drift("&kind=owner_missing")) as [Drift];
    expect(drift).toMatchObject({ status: "open", repairs: ["certify", "end"] });
    const { followUpId } = (await bench.actOn(drift.id, "repair", { reason, action: "certify" })).json;
    const repeated = await bench.actOn(drift.id, "repair", { reason, action: "certify" });
    expect(repeated.json.followUpId).toBe(followUpId);
    await tick();
    const campaign = await ok("GET", `/api/v1/access-certifications/${followUpId}`);
    expect(campaign).toMatchObject({ kind: "micro", status: "active", scope: { assignmentIds: [id] } });
    expect((await bench.read(id)).status).toBe("active");
  });
});

describe("the end of access that a target keeps itself", () => {
  it("is set anew where it differs, and when access is made shorter", async () => {
    const bench = await driftBench(world, { providerKey: "ending" });
    const id = await bench.granted();
    const { expiresAt } = await bench.read(id);
    asked.length = 0;
    bench.account.shows = (spec: GrantSpec) => ({ ...spec, source: "direct", expiresAt: null }) as never;
    await bench.scan();
    await bench.scan();
    const [drift] = (await bench.drift("&kind=expiry_mismatch&status=open")) as [Drift];
    expect(drift).toMatchObject({ assignmentId: id, repairs: ["renew", "end"] });
    expect((await bench.actOn(drift.id, "repair", { reason, action: "renew" })).json.status).toBe("repairing");
    await tick();
    expect(asked).toEqual([["grant", new Date(expiresAt as string)]]);
    expect(await bench.drift("&kind=expiry_mismatch")).toMatchObject([{ status: "resolved" }]);
    await tick();
    expect(asked).toHaveLength(1);
    expect((await bench.act(id, "modify", { reason, duration: "P1D" })).status).toBe(200);
    await tick();
    expect(asked.at(-1)).toEqual(["grant", new Date((await bench.read(id)).expiresAt as string)]);
  });

  it("differs still when the target refuses to set it anew", async () => {
    const bench = await driftBench(world, { providerKey: "ending" });
    await bench.granted();
    bench.account.shows = (spec: GrantSpec) => ({ ...spec, source: "direct", expiresAt: null }) as never;
    await bench.scan();
    await bench.scan();
    const [drift] = (await bench.drift("&kind=expiry_mismatch&status=open")) as [Drift];
    bench.account.script = (method) => {
      if (method === "grant") throw new ConnectorError("invalid", "Not these values.");
    };
    await bench.actOn(drift.id, "repair", { reason, action: "renew" });
    await tick();
    expect(await bench.drift("&kind=expiry_mismatch")).toMatchObject([{ id: drift.id, status: "open" }]);
  });
});

describe("a target that lists nothing", () => {
  it("keeps differences open of which it does not answer, and no others", async () => {
    const bench = await driftBench(world, { providerKey: "unlisted" });
    await bench.granted();
    await bench.granted({ parameters: { of: "another" } });
    const held = [...bench.account.held];
    bench.account.held.clear();
    await bench.scan();
    expect(await bench.drift("&status=open")).toHaveLength(2);
    for (const [key, spec] of held) bench.account.held.set(key, spec);
    bench.account.script = (method, _phase, spec) => {
      if (method === "verify" && spec?.parameters.of === "another") throw new ConnectorError("transient", "Down.");
    };
    expect(await bench.scan()).toMatchObject({ counts: { unanswered: 1, resolved: 1 } });
    expect(await bench.drift("&status=open")).toHaveLength(1);
    bench.account.script = undefined;
    expect(await bench.scan()).toMatchObject({ counts: { unanswered: 0, resolved: 1 } });
    expect(await bench.drift("&status=open")).toEqual([]);
  });
});
