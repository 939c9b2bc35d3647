import { ConnectorError, type GrantSpec } from "@reeve/core/connectors";
import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { accessBench, type Bench } from "../../helpers/access.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by days.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const reason = "because a test wants it so";
const tick = () => world.controlPlane.tick();
const ask = (method: string, path: string, body?: object, as: Actor = world.a.actors.owner) =>
  world.send(method, path, { token: as.token, ...(body ? { body } : {}) });
const ok = async (method: string, path: string, body?: object, as?: Actor) => {
  const answer = await ask(method, path, body, as);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};

interface Drift {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** A scan that has gone as far as it goes, a second after what was before. */
async function scan({ connectorInstanceId }: Bench, body?: object) {
  world.clock.advance(1_000);
  const path = `/api/v1/access-targets/${connectorInstanceId}`;
  const { id } = await ok("POST", `${path}/drift-scan`, body);
  await tick();
  return ok("GET", `${path}/drift-scans/${id}`);
}

const driftOf = async ({ connectorInstanceId }: Bench, query = "") =>
  (await ok("GET", `/api/v1/access-drift?size=100&connectorInstanceId=${connectorInstanceId}${query}`))
    .items as Drift[];
const act = (id: string, verb: string, body?: object, as?: Actor) =>
  ask("POST", `/api/v1/access-drift/${id}/${verb}`, body, as);

/** Access that the target has granted. */
async function granted(bench: Bench, more: object = {}): Promise<string> {
  const id = await bench.decide({ duration: "P30D", ...more });
  await tick();
  expect((await bench.read(id)).status).toBe("active");
  return id;
}

const keyOf = ({ resource, profileExternalId, principal, parameters }: GrantSpec) =>
  JSON.stringify([resource.type, resource.externalId, profileExternalId, principal.externalId, parameters]);

/** What somebody does in the target by hand. */
const byHand = ({ account }: Bench) => {
  const add = (spec: Partial<GrantSpec>) => {
    const [like] = account.held.values();
    const one = { ...(like as GrantSpec), ...spec };
    account.held.set(keyOf(one), one);
    return one;
  };
  return {
    add,
    /** Takes all away but what somebody has whom no asset acts as: a target without anything looks broken. */
    cut() {
      const other = add({ principal: { type: "user", externalId: "somebody else" } });
      account.held.clear();
      add(other);
    },
  };
};

describe("a scan for drift", () => {
  it("ends where the pages of grants lead in a circle", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    bench.account.circle = { of: "listGrants", pages: 25 };
    expect(await scan(bench)).toMatchObject({ status: "failed", failure: { code: "pagination_loop" } });
    expect(bench.account.calls.filter((method) => method === "listGrants").length).toBeLessThan(3 * 25);
  });

  it("finds nothing where the target agrees, writes nothing, and says that it looked", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    const target = `/api/v1/access-targets/${bench.connectorInstanceId}`;
    expect(await ok("GET", target)).toMatchObject({ openDrift: null });
    bench.account.calls.length = 0;
    expect(await scan(bench)).toMatchObject({
      status: "complete",
      coverage: "listing",
      complete: true,
      counts: { listed: 1, known: 1, missing: 0, found: 0, foreign: 0 },
    });
    expect(await driftOf(bench)).toEqual([]);
    expect(await ok("GET", target)).toMatchObject({ openDrift: 0 });
    expect(bench.account.calls).toEqual(["listGrants"]);
  });

  it("finds access that was cut by hand, and grants it again when somebody chooses that", async () => {
    const bench = await accessBench(world);
    const id = await granted(bench);
    byHand(bench).cut();
    expect(await scan(bench)).toMatchObject({ status: "complete", counts: { known: 1, missing: 1, confirmed: 1 } });
    const [drift] = (await driftOf(bench)) as [Drift];
    expect(drift).toMatchObject({
      ...{ kind: "missing_in_target", status: "open", severity: "high", assignmentId: id, assetId: bench.assetId },
      ...{ repairs: ["grant", "end"], recurrence: 1 },
    });
    expect(await bench.read(id)).toMatchObject({ targetState: "absent", observedBy: "sync" });
    expect(await ok("GET", `/api/v1/access-targets/${bench.connectorInstanceId}`)).toMatchObject({ openDrift: 1 });
    const figures = (await ok("GET", "/api/v1/access-lifecycle/dashboard")).drift;
    expect(figures).toMatchObject([{ key: "missing_in_target", relation: "exact" }]);
    expect((await ok("GET", figures[0].url)).totalItems).toBe(figures[0].value);
    expect((await act(drift.id, "repair", { dryRun: true })).json).toMatchObject({
      action: "choose",
      presence: "absent",
    });
    expect((await act(drift.id, "repair", { reason })).json).toMatchObject({ errors: [{ pointer: "/action" }] });
    expect((await act(drift.id, "repair", { action: "revoke", reason })).status).toBe(400);
    expect(bench.account.held.size).toBe(1);
    expect((await act(drift.id, "repair", { action: "grant", reason })).json).toMatchObject({ status: "repairing" });
    await tick();
    expect(bench.account.held.size).toBe(2);
    expect(await driftOf(bench)).toMatchObject([{ status: "resolved" }]);
    expect(await bench.read(id)).toMatchObject({ status: "active", targetState: "present" });
  });

  it("ends access that was cut on purpose, and says so", async () => {
    const bench = await accessBench(world);
    const id = await granted(bench);
    byHand(bench).cut();
    await scan(bench);
    const [drift] = (await driftOf(bench)) as [Drift];
    expect((await act(drift.id, "repair", { action: "end", reason })).status).toBe(200);
    await tick();
    expect(await bench.read(id)).toMatchObject({ status: "revoked", endReason: "removed_externally" });
    expect(await driftOf(bench)).toMatchObject([{ status: "resolved" }]);
    expect(await scan(bench)).toMatchObject({ counts: { found: 0 } });
  });

  it("finds access that nobody granted to what assets act as, and revokes it", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    const added = byHand(bench).add({ profileExternalId: "write" });
    byHand(bench).add({ principal: { type: "user", externalId: "somebody else" } });
    expect(await scan(bench)).toMatchObject({ counts: { listed: 3, foreign: 1, found: 1, confirmed: 1 } });
    const [drift] = (await driftOf(bench)) as [Drift];
    expect(drift).toMatchObject({
      ...{ kind: "unmanaged_in_target", status: "open", severity: "high", assignmentId: null },
      ...{ assetId: bench.assetId, profileExternalId: "write", principal: { externalId: added.principal.externalId } },
    });
    const revoked = (await act(drift.id, "repair", { reason, action: "revoke" })).json;
    expect(revoked).toMatchObject({ action: "revoke", status: "repairing" });
    await tick();
    expect([...bench.account.held.values()].map((one) => one.profileExternalId)).toEqual(["read", "read"]);
    expect(await driftOf(bench)).toMatchObject([{ status: "resolved" }]);
  });

  it("pitfall 30: reports what differs at a target under observation, and writes nothing there", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    byHand(bench).add({ profileExternalId: "write" });
    const path = `/api/v1/connector-instances/${bench.connectorInstanceId}`;
    const body = { governanceMode: "observe", reason };
    const headers = { "if-match": "*" };
    const token = world.a.owner.token;
    expect((await world.send("PATCH", path, { token, body, headers })).status).toBe(200);
    await scan(bench);
    const [drift] = (await driftOf(bench)) as [Drift];
    expect(drift).toMatchObject({ kind: "unmanaged_in_target", status: "open" });
    const refused = await act(drift.id, "repair", { reason, action: "revoke" });
    expect([refused.status, refused.json.code]).toEqual([409, "transition_guard_failed"]);
    expect(await driftOf(bench)).toMatchObject([{ status: "open" }]);
    expect(bench.account.held.size).toBe(2);
  });

  it("finds access that is there again after its end, and revokes it again", async () => {
    const bench = await accessBench(world);
    const id = await granted(bench);
    const [spec] = bench.account.held.values();
    await bench.act(id, "revoke", { reason });
    await tick();
    expect(await bench.read(id)).toMatchObject({ status: "revoked" });
    byHand(bench).add(spec as GrantSpec);
    await scan(bench);
    const [drift] = (await driftOf(bench)) as [Drift];
    expect(drift).toMatchObject({
      kind: "ended_still_present",
      severity: "critical",
      status: "open",
      assignmentId: id,
    });
    expect((await act(drift.id, "repair", { reason })).status).toBe(200);
    await tick();
    expect(bench.account.held.size).toBe(0);
    expect(await driftOf(bench)).toMatchObject([{ status: "resolved" }]);
  });

  it("finds what permits more or less than was granted, and what the target tells otherwise means nothing", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    bench.account.script = (method) => {
      if (method === "verify") throw new ConnectorError("unsupported", "It cannot tell.");
    };
    bench.account.shows = () => ({ permissions: ["read:repository"], parameters: { note: null } });
    expect(await scan(bench)).toMatchObject({ counts: { found: 0 } });
    bench.account.shows = () => ({ permissions: ["read:repository", "write:repository"] });
    await scan(bench);
    expect(await driftOf(bench)).toMatchObject([{ kind: "over_privileged", status: "suspected" }]);
    await scan(bench);
    expect(await driftOf(bench)).toMatchObject([
      {
        ...{ kind: "over_privileged", status: "open", recurrence: 2 },
        diff: [{ field: "permissions", observed: ["read:repository", "write:repository"] }],
      },
    ]);
    bench.account.shows = () => ({ permissions: [] });
    await scan(bench);
    expect((await driftOf(bench)).map(({ kind, status }) => [kind, status])).toEqual([
      ["under_privileged", "suspected"],
      ["over_privileged", "resolved"],
    ]);
  });

  it("takes the word of the target itself over that of its listing", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    bench.account.shows = () => ({ permissions: ["everything"] });
    expect(await scan(bench)).toMatchObject({ counts: { found: 1, dismissed: 1, confirmed: 0 } });
    const [drift] = (await driftOf(bench)) as [Drift];
    expect(drift).toMatchObject({ kind: "over_privileged", status: "dismissed" });
    const moves = async () =>
      (await eventsOf(world.a)).filter(({ attributes }) => attributes.includes(drift.id)).length;
    const before = await moves();
    await scan(bench);
    expect([await moves(), (await driftOf(bench)).length]).toEqual([before, 1]);
    bench.account.shows = () => ({ permissions: ["everything", "and more"] });
    expect(await scan(bench)).toMatchObject({ counts: { dismissed: 1 } });
  });

  it("is one at a time, however many ask for it at once", async () => {
    const bench = await accessBench(world);
    const path = `/api/v1/access-targets/${bench.connectorInstanceId}/drift-scan`;
    const begun = await Promise.all(Array.from({ length: 5 }, () => ask("POST", path)));
    const one = begun.filter(({ status }) => status === 200).map(({ json }) => json.id);
    expect(new Set(one).size).toBe(1);
    expect((await ok("GET", `${path}s?status=running`)).items).toHaveLength(1);
  });

  it("pitfall 4: concludes nothing from what a listing lacks that broke off or left something out", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    byHand(bench).cut();
    bench.account.incomplete = true;
    expect(await scan(bench)).toMatchObject({ status: "partial", complete: false, counts: { missing: 0 } });
    bench.account.incomplete = false;
    bench.account.script = (method) => {
      if (method === "listGrants") throw new ConnectorError("auth", "Refused.");
    };
    expect(await scan(bench)).toMatchObject({ status: "failed", failure: { errorClass: "auth" } });
    expect(await driftOf(bench)).toEqual([]);
  });

  it("trips the circuit breaker when more is missing than is plausible, until somebody accepts exactly that", async () => {
    const bench = await accessBench(world);
    for (let at = 0; at < 12; at += 1) await bench.decide({ duration: "P30D", parameters: { at } });
    await tick();
    expect(bench.account.held.size).toBe(12);
    byHand(bench).cut();
    const stopped = await scan(bench);
    expect(stopped).toMatchObject({ status: "anomalous", anomaly: { missing: 12, known: 12 } });
    expect(await driftOf(bench)).toEqual([]);
    const path = `/api/v1/access-targets/${bench.connectorInstanceId}/drift-scan`;
    const operator = await ask("POST", path, { acceptAnomalyRunId: stopped.id, reason }, world.a.actors.operator);
    expect(operator.status).toBe(403);
    expect((await ask("POST", path, { acceptAnomalyRunId: stopped.id })).json.code).toBe("missing_reason");
    await ok("POST", path, { acceptAnomalyRunId: stopped.id, reason });
    await tick();
    expect(await driftOf(bench, "&kind=missing_in_target&status=open")).toHaveLength(12);
  });

  it("is told of what the records themselves show", async () => {
    const bench = await accessBench(world);
    const id = await granted(bench);
    const owner = await world.a.newUser(["member"]);
    const asset = `/api/v1/ai-assets/${bench.assetId}`;
    const token = world.a.owner.token;
    const headers = { "if-match": "*" };
    const given = { owner: { type: "user", id: owner.userId, name: owner.username } };
    expect((await world.send("PUT", asset, { token, body: given, headers })).status).toBe(200);
    const user = `/api/v1/users/${owner.userId}`;
    const left = await world.send("PATCH", user, { token, body: { status: "disabled", reason }, headers });
    expect(left.status, left.text).toBe(200);
    bench.account.profiles = bench.account.profiles.map((one) => ({
      ...one,
      permissions: [...one.permissions, "more"],
    }));
    await ok("POST", `/api/v1/access-targets/${bench.connectorInstanceId}/resources/sync?resourceType=repository`);
    await tick();
    await scan(bench);
    const found = await driftOf(bench, "&status=open");
    expect(found.map(({ kind }) => kind).sort()).toEqual(["definition_changed", "owner_missing"]);
    expect(found.every(({ assignmentId }) => assignmentId === id)).toBe(true);
    const [changed] = found.filter(({ kind }) => kind === "definition_changed");
    const refused = await act(changed?.id as string, "repair", { reason, action: "grant" });
    expect(refused.json).toMatchObject({ errors: [{ pointer: "/action" }] });
  });
});

describe("a look at one grant", () => {
  it("opens a difference, and ends it when the target agrees again", async () => {
    const bench = await accessBench(world);
    const id = await granted(bench);
    const [spec] = bench.account.held.values();
    byHand(bench).cut();
    const { driftId, presence } = (await bench.act(id, "verify")).json;
    expect(presence).toBe("absent");
    expect(await driftOf(bench)).toMatchObject([{ id: driftId, kind: "missing_in_target", status: "open" }]);
    byHand(bench).add(spec as GrantSpec);
    expect((await bench.act(id, "verify")).json).toMatchObject({ presence: "present", driftId: null });
    expect(await driftOf(bench)).toMatchObject([{ status: "resolved" }]);
  });

  it("opens nothing for a target that could not be asked", async () => {
    const bench = await accessBench(world);
    const id = await granted(bench);
    bench.account.script = (method) => {
      if (method === "verify") throw new ConnectorError("transient", "Down.");
    };
    expect((await bench.act(id, "verify")).json).toMatchObject({ presence: "unknown", driftId: null });
    expect(await driftOf(bench)).toEqual([]);
  });
});

describe("a difference that is let be", () => {
  const open = async () => {
    const bench = await accessBench(world);
    const id = await granted(bench);
    byHand(bench).cut();
    await scan(bench);
    const [drift] = (await driftOf(bench)) as [Drift];
    return { bench, id, drift };
  };
  const until = (ms: number) => new Date(world.clock.now() + ms).toISOString();

  it("stays closed while it is seen again, and opens when its time is over", async () => {
    const { bench, drift } = await open();
    const officer = await world.a.newUser(["governance_officer"]);
    expect((await act(drift.id, "accept", { until: until(HOUR) }, officer)).json.code).toBe("missing_reason");
    expect((await act(drift.id, "accept", { until: until(-1), reason }, officer)).status).toBe(400);
    expect((await act(drift.id, "accept", { until: until(HOUR), reason }, officer)).json).toMatchObject({
      status: "accepted",
      decidedBy: officer.userId,
    });
    await scan(bench);
    expect(await driftOf(bench)).toMatchObject([{ status: "accepted", recurrence: 2 }]);
    world.clock.advance(HOUR);
    expect(await driftOf(bench)).toMatchObject([{ status: "open" }]);
    await tick();
    expect(await driftOf(bench, "&status=open")).toMatchObject([{ id: drift.id }]);
  });

  it("opens again when it changes", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    bench.account.script = (method) => {
      if (method === "verify") throw new ConnectorError("unsupported", "It cannot tell.");
    };
    bench.account.shows = () => ({ permissions: ["one", "two"] });
    await scan(bench);
    await scan(bench);
    const [drift] = (await driftOf(bench, "&status=open")) as [Drift];
    const officer = await world.a.newUser(["governance_officer"]);
    expect((await act(drift.id, "suppress", { reason }, officer)).json).toMatchObject({ status: "suppressed" });
    await scan(bench);
    expect(await driftOf(bench)).toMatchObject([{ status: "suppressed" }]);
    bench.account.shows = () => ({ permissions: ["one", "two", "three"] });
    await scan(bench);
    expect(await driftOf(bench)).toMatchObject([{ status: "open", decidedBy: null }]);
  });

  it("is no matter of machines, of operators, or of another tenant", async () => {
    const { drift } = await open();
    const body = { until: until(HOUR), reason };
    expect((await act(drift.id, "accept", body, world.a.actors.operator)).status).toBe(403);
    expect((await act(drift.id, "accept", body, world.b.actors.owner)).status).toBe(404);
    expect((await act(drift.id, "repair", { action: "end", reason }, world.b.actors.owner)).status).toBe(404);
    const theirs = await ok("GET", "/api/v1/access-drift?size=100", undefined, world.b.actors.owner);
    expect((theirs.items as Drift[]).map(({ id }) => id)).not.toContain(drift.id);
    expect((await ok("GET", `/api/v1/access-drift/${drift.id}`)).status).toBe("open");
  });
});

describe("a repair", () => {
  it("that the target refuses opens the difference again", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    byHand(bench).cut();
    await scan(bench);
    const [drift] = (await driftOf(bench)) as [Drift];
    bench.account.script = (method) => {
      if (method === "grant") throw new ConnectorError("permission", "Not allowed.");
    };
    await act(drift.id, "repair", { action: "grant", reason });
    await tick();
    expect(await driftOf(bench)).toMatchObject([{ status: "open" }]);
  });

  it("that is refused ends nothing: the difference stands while the target has it, whatever is scanned", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    byHand(bench).add({ profileExternalId: "write" });
    await scan(bench);
    const [drift] = (await driftOf(bench)) as [Drift];
    bench.account.script = (method) => {
      if (method === "revoke") throw new ConnectorError("permission", "Not allowed.");
    };
    await act(drift.id, "repair", { action: "revoke", reason });
    await tick();
    for (let scans = 0; scans < 2; scans += 1) {
      expect(await scan(bench)).toMatchObject({ status: "complete", counts: { resolved: 0 } });
      expect(await driftOf(bench)).toMatchObject([{ id: drift.id, status: "open" }]);
    }
    bench.account.script = undefined;
    world.clock.advance(HOUR);
    await tick();
    expect(bench.account.held.size).toBe(1);
    expect(await driftOf(bench)).toMatchObject([{ status: "resolved" }]);
  });

  it("that the target gives up leaves the difference open while the access is not there", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    const [spec] = bench.account.held.values();
    byHand(bench).cut();
    await scan(bench);
    const [drift] = (await driftOf(bench)) as [Drift];
    bench.account.script = (method) => {
      if (method === "grant") throw new ConnectorError("invalid", "Not these values.");
    };
    await act(drift.id, "repair", { action: "grant", reason });
    await tick();
    expect(await driftOf(bench)).toMatchObject([{ status: "open" }]);
    await scan(bench);
    expect(await driftOf(bench)).toMatchObject([{ id: drift.id, status: "open" }]);
    bench.account.script = undefined;
    byHand(bench).add(spec as GrantSpec);
    await scan(bench);
    expect(await driftOf(bench)).toMatchObject([{ status: "resolved" }]);
  });

  it("grants nothing again whose profile is not approved any more", async () => {
    const bench = await accessBench(world);
    await granted(bench);
    byHand(bench).cut();
    await scan(bench);
    const [drift] = (await driftOf(bench)) as [Drift];
    await ok("POST", `/api/v1/access-profiles/${bench.accessProfileId}/disable`, { reason });
    const refused = await act(drift.id, "repair", { action: "grant", reason });
    expect([refused.status, refused.json.code]).toEqual([409, "transition_guard_failed"]);
    await tick();
    expect(bench.account.held.size).toBe(1);
  });
});
