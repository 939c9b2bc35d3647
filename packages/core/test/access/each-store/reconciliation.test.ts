import { ConnectorError, type ErrorClass } from "@reeve/core/connectors";
import type { AccessMethod, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type AccessProfile, accessProfiles } from "#families/access/profiles/schema.js";
import { accessBench, type Bench } from "../../helpers/access.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by days.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const REASON = { reason: "The agent does not need it." };
const tick = () => world.controlPlane.tick();
const later = async (milliseconds: number) => {
  world.clock.advance(milliseconds);
  await tick();
};
/** Lets time pass in steps, as a host that ticks does. The owner signs in again where tokens ran out. */
async function pass(total: number, step: number): Promise<void> {
  for (let passed = 0; passed < total; passed += step) await later(step);
  for (const scene of [world.a, world.b]) scene.actors.owner = await scene.signIn(scene.owner.userId, scene.owner);
  const { provider } = world;
  provider.actors.provider_admin = await provider.signIn(provider.owner.userId, provider.owner);
}
const fails =
  (wrong: AccessMethod, errorClass: ErrorClass, phase: "before" | "after" = "before") =>
  (method: AccessMethod, at: "before" | "after") => {
    if (method === wrong && at === phase) throw new ConnectorError(errorClass, "The target failed.");
  };
const writes = ({ account }: Bench) => account.calls.filter((method) => method === "grant" || method === "revoke");

describe("a reconciliation", () => {
  it("believes a revocation once the target does not show the access any more", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    await tick();
    const { account } = bench;
    const [kept] = [...account.held];
    account.script = (method, phase) => {
      if (kept && method === "revoke" && phase === "after") account.held.set(...kept);
    };
    await bench.act(id, "revoke", REASON);
    await tick();
    expect(await bench.read(id)).toMatchObject({ status: "revoking", targetState: "present" });
    account.script = undefined;
    await later(HOUR);
    expect(await bench.read(id)).toMatchObject({ status: "revoked", targetState: "absent" });
    expect(account.held.size).toBe(0);
  });

  it("pitfall 16: grants what was decided, ends it when its time is over, and lists it from then on", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    expect(await bench.read(id)).toMatchObject({ status: "pending", effective: false, targetState: "unknown" });
    await tick();
    const granted = await bench.read(id);
    expect(granted).toMatchObject({
      status: "active",
      effective: true,
      ineffectiveBecause: [],
      targetState: "present",
      preExisting: false,
    });
    expect(bench.account.held.size).toBe(1);
    await later(HOUR);
    expect(await bench.read(id)).toMatchObject({
      status: "expired",
      endReason: "expired",
      targetState: "absent",
      effective: false,
    });
    expect([bench.account.held.size, writes(bench)]).toEqual([0, ["grant", "revoke"]]);
    const listed = `/api/v1/ai-assets/${bench.assetId}/access-assignments`;
    const { items } = (await world.send("GET", listed, { token: world.a.owner.token })).json;
    expect(items).toMatchObject([{ id, status: "expired" }]);
  });

  it("pitfall 1: the end of one assignment leaves what another one holds", async () => {
    const bench = await accessBench(world);
    const first = await bench.decide({ duration: "PT1H" });
    const second = await bench.decide({ duration: "PT3H" });
    await tick();
    await later(HOUR + MINUTE);
    expect(await bench.read(first)).toMatchObject({ status: "expired", sharedGrant: true, targetState: "present" });
    expect(await bench.read(second)).toMatchObject({ status: "active", effective: true });
    expect([bench.account.held.size, writes(bench)]).toEqual([1, ["grant"]]);
    await later(2 * HOUR);
    expect(await bench.read(second)).toMatchObject({ status: "expired", sharedGrant: false });
    expect(bench.account.held.size).toBe(0);
  });

  it("pitfall 2: what the target does not confirm is not in force, not revoked, and asked for again", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide({ duration: "P30D" });
    await tick();
    bench.account.script = fails("revoke", "transient");
    expect((await bench.act(id, "revoke", REASON)).json).toMatchObject({ status: "revoking", effective: false });
    await pass(2 * HOUR, 10 * MINUTE);
    expect(await bench.read(id)).toMatchObject({
      status: "revoke_failed",
      effective: false,
      endedAt: null,
      failure: { errorClass: "transient" },
    });
    const [reported] = (await eventsOf(world.a)).filter(
      ({ attributes }) => attributes.includes('"to":"revoke_failed"') || attributes.includes("revoke_failed"),
    );
    expect(reported).toBeDefined();
    const before = writes(bench).length;
    await pass(2 * HOUR, 30 * MINUTE);
    expect(writes(bench).length).toBeGreaterThan(before);
    bench.account.script = undefined;
    await later(HOUR);
    expect(await bench.read(id)).toMatchObject({ status: "revoked", targetState: "absent" });
  });

  it("pitfall 3: a target that was down for two days takes access away within an hour of its return", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide({ duration: "P30D" });
    await tick();
    bench.account.script = () => {
      throw new ConnectorError("transient", "Down.");
    };
    await bench.act(id, "revoke", REASON);
    await pass(48 * HOUR, HOUR);
    bench.account.script = undefined;
    await pass(HOUR, 10 * MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "revoked" });
    expect(bench.account.held.size).toBe(0);
  });

  it("pitfall 7: a grant whose answer was lost is there once, and is ours", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    bench.account.script = fails("grant", "outcome_unknown", "after");
    await tick();
    expect(await bench.read(id)).toMatchObject({ status: "pending" });
    await later(MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "active", preExisting: false });
    expect(writes(bench)).toEqual(["grant"]);
  });

  it("says so when the target had it before", async () => {
    const bench = await accessBench(world);
    const first = await bench.decide();
    await tick();
    const [kept] = bench.account.held;
    await bench.act(first, "revoke", REASON);
    await tick();
    bench.account.held.set(...(kept as [string, never]));
    const second = await bench.decide();
    await tick();
    expect(await bench.read(second)).toMatchObject({ status: "active", preExisting: true });
    await bench.act(second, "revoke", REASON);
    await tick();
    expect(bench.account.held.size).toBe(0);
  });

  it("a revocation for which the target asks to wait a year goes on, and people are told", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    await tick();
    const later = new ConnectorError("rate_limited", "Too many calls.", { retryAfterMs: 365 * 24 * HOUR });
    bench.account.script = (method) => {
      if (method === "revoke") throw later;
    };
    await bench.act(id, "revoke", REASON);
    await pass(3 * HOUR, 30 * MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "revoke_failed", failure: { errorClass: "rate_limited" } });
    bench.account.script = undefined;
    await pass(HOUR, 30 * MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "revoked", targetState: "absent" });
  });

  it("pitfall 13: the time of access runs from its activation", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide({ duration: "PT1H" });
    bench.account.script = fails("grant", "rate_limited");
    await pass(30 * MINUTE, 5 * MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "pending", expiresAt: null });
    bench.account.script = undefined;
    await pass(5 * MINUTE, MINUTE);
    const { activatedAt, expiresAt } = await bench.read(id);
    expect(Date.parse(expiresAt as string) - Date.parse(activatedAt as string)).toBe(HOUR);
  });

  it("pitfall 15: access is over at its time although no job has run", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide({ duration: "PT1H" });
    await tick();
    world.clock.advance(HOUR);
    expect(await bench.read(id)).toMatchObject({ effective: false, status: "revoking" });
    const at = `/api/v1/ai-assets/${bench.assetId}/access-assignments`;
    const { json } = await world.send("GET", `${at}?status=active`, { token: world.a.owner.token });
    expect(json.items).toEqual([]);
    const ending = await world.send("GET", `${at}?status=revoking`, { token: world.a.owner.token });
    expect(ending.json.items).toMatchObject([{ id, effective: false, endReason: "expired" }]);
  });

  it("pitfall 23: refused credentials are not tried again before somebody changes the connection", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    bench.account.script = (method) => {
      if (method !== "verify") throw new ConnectorError("auth", "Refused.");
    };
    await tick();
    await pass(6 * HOUR, 30 * MINUTE);
    expect(writes(bench)).toEqual(["grant"]);
    expect(await bench.read(id)).toMatchObject({ status: "pending" });
    bench.account.script = undefined;
    const { token } = world.a.owner;
    for (let tests = 0; tests < 3; tests += 1)
      await world.send("POST", `/api/v1/integrations/${bench.connectorInstanceId}/diagnostics/run`, { token });
    await tick();
    expect(await bench.read(id)).toMatchObject({ status: "active" });
  });

  it("that is refused a right holds up no other of its connection", async () => {
    const bench = await accessBench(world);
    const { account } = bench;
    const refused = await bench.decide({ duration: "P30D" });
    const other = await bench.decide({ duration: "P30D", parameters: { of: "another" } });
    await tick();
    account.script = (method, _phase, spec) => {
      if (method === "revoke" && spec?.parameters.of === undefined) throw new ConnectorError("permission", "Not you.");
    };
    await bench.act(refused, "revoke", REASON);
    await tick();
    expect(await bench.read(refused)).toMatchObject({ status: "revoke_failed" });
    await bench.act(other, "revoke", REASON);
    await tick();
    expect(await bench.read(other)).toMatchObject({ status: "revoked" });
    const { token } = world.a.owner;
    const { json } = await world.send("GET", `/api/v1/connector-instances/${bench.connectorInstanceId}`, { token });
    expect(json.health).not.toBe("misconfigured");
  });

  it("that is refused a right does not heal a connection whose credentials are refused", async () => {
    const bench = await accessBench(world);
    const all = [];
    for (let n = 0; n < 4; n += 1) all.push(await bench.decide({ duration: "P30D", parameters: { of: `n${n}` } }));
    await tick();
    const at = `/api/v1/connector-instances/${bench.connectorInstanceId}`;
    const health = async () => (await world.send("GET", at, { token: world.a.owner.token })).json.health;
    let refusal: "auth" | "permission" = "auth";
    bench.account.script = () => {
      throw new ConnectorError(refusal, "Not you.");
    };
    await bench.act(all[0] as string, "verify");
    expect(await health()).toBe("misconfigured");
    refusal = "permission";
    for (const id of all) await bench.act(id, "verify");
    expect(await health()).toBe("misconfigured");
  });

  it("pitfall 24: what is there already, and what is gone already, is done", async () => {
    const bench = await accessBench(world);
    const first = await bench.decide();
    await tick();
    const second = await bench.decide();
    await tick();
    expect([writes(bench), (await bench.read(second)).status]).toEqual([["grant"], "active"]);
    bench.account.held.clear();
    await bench.act(first, "revoke", REASON);
    await bench.act(second, "revoke", REASON);
    await tick();
    expect([(await bench.read(first)).status, (await bench.read(second)).status]).toEqual(["revoked", "revoked"]);
  });

  it("pitfall 25: a grant of somebody else on the same resource stays", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    await tick();
    const [[, own] = []] = bench.account.held;
    bench.account.held.set("another", { ...own, principal: { type: "user", externalId: "somebody else" } } as never);
    await bench.act(id, "revoke", REASON);
    await tick();
    expect([...bench.account.held.keys()]).toEqual(["another"]);
  });

  it("gives a grant up after five attempts, and takes back what it may have left behind", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    bench.account.script = fails("grant", "outcome_unknown", "before");
    await pass(40 * MINUTE, MINUTE);
    expect(await bench.read(id)).toMatchObject({
      status: "failed",
      endReason: "provision_failed",
      targetState: "unknown",
      unknown: { because: "not_shown_gone" },
    });
    expect(writes(bench)).toEqual([...Array(5).fill("grant"), "revoke"]);
    expect(bench.account.held.size).toBe(0);
  });

  it("does not try again what the target refuses as invalid", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    bench.account.script = fails("grant", "invalid");
    await pass(HOUR, 10 * MINUTE);
    expect(await bench.read(id)).toMatchObject({ status: "failed", failure: { errorClass: "invalid" } });
    expect(writes(bench)).toEqual(["grant"]);
  });

  it("touches nothing for access that was revoked before it was granted", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    await bench.act(id, "revoke", REASON);
    await tick();
    expect(await bench.read(id)).toMatchObject({ status: "revoked" });
    expect(bench.account.calls).toEqual([]);
  });

  it("waits for access that begins later", async () => {
    const bench = await accessBench(world);
    const notBefore = new Date(world.clock.now() + HOUR).toISOString();
    const id = await bench.decide({ notBefore });
    await tick();
    expect([(await bench.read(id)).status, writes(bench)]).toEqual(["pending", []]);
    await later(HOUR);
    expect(await bench.read(id)).toMatchObject({ status: "active" });
  });

  it("grants nothing while the kill switch of provisioning is on, and still revokes", async () => {
    const bench = await accessBench(world);
    const first = await bench.decide();
    await tick();
    const { token } = world.provider.owner;
    const flip = async (status: string) => {
      const body = { status, reason: "to see what it stops" };
      const done = await world.send("POST", "/api/v1/support/kill-switches/access.provision", { token, body });
      expect(done.status, done.text).toBe(200);
    };
    await flip("engaged");
    const second = await bench.decide({ parameters: { path: "docs" } });
    await bench.act(first, "revoke", REASON);
    await tick();
    expect([(await bench.read(first)).status, (await bench.read(second)).status]).toEqual(["revoked", "pending"]);
    await flip("released");
    await later(2 * MINUTE);
    expect(await bench.read(second)).toMatchObject({ status: "active" });
  });

  it("pitfall 30: a target under observation is never written to, and still asked", async () => {
    const bench = await accessBench(world, { governanceMode: "observe" });
    const id = await bench.decide();
    await pass(3 * HOUR, HOUR);
    expect([await bench.read(id), writes(bench)]).toMatchObject([{ status: "pending" }, []]);
    expect((await bench.act(id, "verify")).json).toMatchObject({
      presence: "absent",
      targetState: "absent",
    });
  });

  it("ends access with its asset, and with its resource", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    await tick();
    const { token } = world.a.owner;
    const gone = await world.send("DELETE", `/api/v1/ai-assets/${bench.assetId}`, {
      token,
      headers: { "if-match": "*" },
    });
    expect(gone.status, gone.text).toBeLessThan(300);
    expect(await bench.read(id)).toMatchObject({ status: "revoking", endReason: "asset_retired", effective: false });
    await tick();
    expect([(await bench.read(id)).status, bench.account.held.size]).toEqual(["revoked", 0]);
  });

  it("ends access whose asset is retired while the target grants it", async () => {
    const bench = await accessBench(world);
    bench.account.script = fails("grant", "outcome_unknown", "after");
    const id = await bench.decide();
    await tick();
    expect(bench.account.held.size).toBe(1);
    bench.account.script = undefined;
    const path = `/api/v1/ai-assets/${bench.assetId}/lifecycle`;
    const retiring = { status: "retired", reason: "It is not needed any more." };
    const { status, text } = await world.send("PATCH", path, { token: world.a.owner.token, body: retiring });
    expect(status, text).toBe(200);
    expect(await bench.read(id)).toMatchObject({ endReason: "asset_retired", effective: false });
    await pass(HOUR, HOUR / 4);
    expect([await bench.read(id), bench.account.held.size]).toMatchObject([{ status: "revoked" }, 0]);
  });

  it("keeps its connection from being deleted while access is not over", async () => {
    const bench = await accessBench(world);
    await bench.decide();
    await tick();
    const { token } = world.a.owner;
    const path = `/api/v1/connector-instances/${bench.connectorInstanceId}`;
    const { status, json } = await world.send("DELETE", path, { token, headers: { "if-match": "*" } });
    expect([status, json.code, json.live]).toEqual([409, "has_active_assignments", { "access assignments": 1 }]);
  });

  it("pitfall 9: tells of each change once, and in the transaction of the change", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    await tick();
    await tick();
    await bench.act(id, "revoke", REASON);
    await bench.act(id, "revoke", REASON);
    await tick();
    const { json } = await world.send("GET", `/api/v1/ai-assets/${bench.assetId}/activity?size=100`, {
      token: world.a.owner.token,
    });
    const moves = json.items
      .filter(({ data }: { data: { entity?: { id: string } } }) => data.entity?.id === id)
      .map(({ data }: { data: { event?: string } }) => data.event ?? "created")
      .reverse();
    expect(moves).toEqual(["created", "activate", "revoke", "confirm_revoked"]);
  });
});

describe("an assignment", () => {
  it("is not in force while its asset may not be used or its profile is disabled", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    await tick();
    const { token } = world.a.owner;
    const disable = `/api/v1/access-profiles/${bench.accessProfileId}/disable`;
    await world.send("POST", disable, { token, body: { reason: "It permits too much." } });
    expect(await bench.read(id)).toMatchObject({
      status: "active",
      effective: false,
      ineffectiveBecause: ["profile:disabled"],
    });
    const configuration = { tenantId: world.a.tenantId };
    const body = { status: "engaged", reason: "to see what it stops", configuration };
    const key = `/api/v1/support/kill-switches/ai.asset.${bench.assetId}`;
    expect((await world.send("POST", key, { token: world.provider.owner.token, body })).status).toBe(200);
    expect((await bench.read(id)).ineffectiveBecause).toHaveLength(2);
  });

  it("is narrowed at once: a shorter time, a lesser profile, fewer parameters", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide({ duration: "P7D", parameters: { paths: ["docs", "src"] } });
    await tick();
    const { json } = await bench.act(id, "modify", { ...REASON, duration: "P1D", parameters: { paths: ["docs"] } });
    expect(json).toMatchObject({ outcome: "modified", requestId: null });
    expect(await bench.read(id)).toMatchObject({ status: "active", parameters: { paths: ["docs"] } });
    await tick();
    await tick();
    expect([...bench.account.held.values()].map(({ parameters }) => parameters)).toEqual([{ paths: ["docs"] }]);
    expect(writes(bench)).toEqual(["grant", "grant", "revoke"]);
    expect(await bench.read(id)).toMatchObject({ status: "active", targetState: "present", previousGrantKey: null });
  });

  it("is not widened without a request", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide({ duration: "P1D", parameters: { paths: ["docs"] } });
    await tick();
    const before = await bench.read(id);
    for (const wider of [{ duration: "P2D" }, { parameters: { paths: ["docs", "src"] } }, { parameters: {} }]) {
      const { status, json } = await bench.act(id, "modify", { ...REASON, ...wider });
      expect([status, json.outcome]).toEqual([200, "request_created"]);
    }
    await tick();
    expect(await bench.read(id)).toEqual(before);
    expect(writes(bench)).toEqual(["grant"]);
  });

  it("takes no parameters that its profile does not permit", async () => {
    const bench = await accessBench(world);
    const store = world.store.forTenant(world.a.tenantId);
    const row = await store.get(accessProfiles, bench.accessProfileId);
    const before = row?.value as AccessProfile;
    const properties = { paths: { type: "array", items: { type: "string" }, minItems: 1 } };
    const parametersSchema = { type: "object", properties, required: ["paths"], additionalProperties: false };
    await store.replace(accessProfiles, { ...before, parametersSchema, version: before.version + 1 }, before);
    for (const parameters of [{}, { paths: [] }, { paths: ["docs"], other: true }, { paths: "docs" }])
      await expect(bench.decide({ parameters })).rejects.toMatchObject({ code: "invalid_request" });
    const id = await bench.decide({ parameters: { paths: ["docs"] } });
    await tick();
    const { status, json } = await bench.act(id, "modify", { ...REASON, parameters: { paths: [] } });
    expect([status, json.errors[0].pointer]).toEqual([400, "/parameters/paths"]);
  });

  it("is asked for in the target, which changes nothing there", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    await tick();
    expect((await bench.act(id, "verify")).json).toMatchObject({
      presence: "present",
      authoritative: true,
      failure: null,
    });
    bench.account.held.clear();
    expect((await bench.act(id, "verify")).json).toMatchObject({
      presence: "absent",
      targetState: "absent",
    });
    bench.account.script = fails("verify", "transient");
    const unknown = await bench.act(id, "verify");
    expect(unknown.status).toBe(200);
    expect(unknown.json).toMatchObject({
      presence: "unknown",
      failure: { errorClass: "transient" },
      targetState: "absent",
    });
    expect(writes(bench)).toEqual(["grant"]);
  });

  it("is repaired by its reconciliation, and only planned in a dry run", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    await tick();
    bench.account.held.clear();
    expect((await bench.act(id, "repair", { dryRun: true })).json).toMatchObject({
      ...{ action: "choose", repairs: ["grant", "end"] },
      presence: "absent",
    });
    await tick();
    expect(bench.account.held.size).toBe(0);
    expect((await bench.act(id, "repair", {})).json.code).toBe("missing_reason");
    expect((await bench.act(id, "repair", { ...REASON, action: "grant" })).status).toBe(200);
    await tick();
    expect([bench.account.held.size, (await bench.read(id)).targetState]).toEqual([1, "present"]);
  });

  it("is seen and moved by nobody of another tenant", async () => {
    const bench = await accessBench(world);
    const id = await bench.decide();
    const { token } = world.b.owner;
    const at = `/api/v1/access-assignments/${id}`;
    expect((await world.send("GET", at, { token })).status).toBe(404);
    for (const verb of ["verify", "repair", "revoke", "modify"])
      expect((await world.send("POST", `${at}/${verb}`, { token, body: REASON })).status).toBe(404);
    expect((await world.send("GET", `/api/v1/ai-assets/${bench.assetId}/access-assignments`, { token })).status).toBe(
      404,
    );
  });
});
