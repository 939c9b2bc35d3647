import { ConnectorError } from "@reeve/core/connectors";
import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf } from "../../helpers/facts.js";
import { requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const REASON = { reason: "because a test wants it so" };
const AT = "/api/v1/access-requests";

describe("a request for access", () => {
  it("is approved by another person, and provisioned when the target has it", async () => {
    const bench = await requestBench(world);
    const asked = await bench.asked("pending_approval");
    expect(asked).toMatchObject({
      requestedBy: bench.requester.userId,
      evaluation: { decision: "require_approval" },
      waitingFor: { people: [{ userId: bench.first.userId }, { userId: bench.second.userId }] },
    });
    expect(asked.wouldAllow).toEqual([expect.stringContaining("may read")]);
    expect((await bench.approve(asked.id)).json).toMatchObject({ status: "approved", granted: { duration: "PT1H" } });
    await bench.tick();
    const done = await bench.request(asked.id);
    expect(done).toMatchObject({ status: "provisioned", items: [{ status: "provisioned" }] });
    expect(await bench.read(done.items[0]?.assignmentId ?? "")).toMatchObject({
      ...{ status: "active", effective: true, source: "request", requestId: asked.id },
    });
    expect(bench.account.held.size).toBe(1);
    expect((await bench.verb(asked.id, "provision")).json.status).toBe("provisioned");
  });

  it("pitfall 13: waits for as long as it takes, and lasts as long as was asked", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    await bench.tick(HOUR / 2);
    await bench.approve(id);
    await bench.tick();
    const { items } = await bench.request(id);
    const { activatedAt, expiresAt } = await bench.read(items[0]?.assignmentId ?? "");
    expect(Date.parse(expiresAt ?? "") - Date.parse(activatedAt ?? "")).toBe(HOUR);
  });

  it("is not shortened in silence: more than may be is refused", async () => {
    const bench = await requestBench(world);
    for (const more of [{ duration: "P31D" }, { duration: undefined, permanent: true }])
      expect((await bench.ask(more)).json).toMatchObject({ status: 400, code: "duration_exceeds_max" });
    expect((await bench.ask({ duration: undefined })).json).toMatchObject({ duration: "P30D" });
  });

  it("is made once for each grant, also when it was made by somebody else", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    expect((await bench.ask({}, world.a.owner)).json).toMatchObject({ code: "duplicate_request", accessRequestId: id });
    await bench.verb(id, "cancel", bench.requester, REASON);
    await bench.asked("pending_approval");
  });

  it("frees its grant when its time is over, although no job has run", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    await bench.pass(7 * DAY + 1_000);
    expect((await bench.request(id)).status).toBe("expired");
    expect((await bench.approve(id)).status).toBe(409);
    await bench.asked("pending_approval");
    await bench.tick();
  });

  it("is refused for what nobody can ask for", async () => {
    const bench = await requestBench(world);
    const owner = world.a.owner;
    const wrong = [
      [{ items: [{ accessProfileId: "apf_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }] }, 400, "invalid_reference"],
      [{ identityId: "aid_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }, 400, "invalid_reference"],
      [{ reason: "short" }, 400, "missing_reason"],
      [{ connectorInstanceId: "ci_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }, 400, "invalid_reference"],
      [{ emergency: true, reason: "There is an incident with claims." }, 409, "not_requestable"],
    ] as const;
    for (const [more, status, code] of wrong) {
      const answer = await bench.ask(more);
      expect([answer.status, answer.json.code], JSON.stringify(more)).toEqual([status, code]);
    }
    const body = { reason: "It permits more than it says." };
    await world.send("POST", `/api/v1/access-profiles/${bench.accessProfileId}/disable`, { token: owner.token, body });
    expect((await bench.ask()).json).toMatchObject({ code: "not_requestable" });
  });

  it("is seen and moved by nobody of another tenant", async () => {
    const bench = await requestBench(world);
    const { id, scopeHash } = await bench.asked("pending_approval");
    const { token } = world.b.owner;
    const tries = [
      ["GET", `${AT}/${id}`],
      ["POST", `${AT}/${id}/evaluate`],
      ["POST", `${AT}/${id}/approve`, { expectedScopeHash: scopeHash }],
      ["POST", `${AT}/${id}/reject`, REASON],
      ["POST", `${AT}/${id}/cancel`, REASON],
      ["POST", `${AT}/${id}/provision`],
      ["GET", `/api/v1/access-connectors/${bench.connectorInstanceId}/request-schema`],
      ["POST", `/api/v1/ai-assets/${bench.assetId}/access-requests`, REASON],
    ] as const;
    for (const [method, at, body] of tries)
      expect((await world.send(method, at, { token, ...(body ? { body } : {}) })).status, at).toBe(404);
    const listed = await world.send("GET", `${AT}?approverId=${bench.first.userId}`, { token });
    expect(listed.json.items).toEqual([]);
  });

  it("is found by those whom it waits for, and in their reviews", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    const { token } = bench.first;
    const own = async () => (await world.send("GET", `${AT}?approverId=me&size=100`, { token })).json.items;
    expect(await own()).toMatchObject([{ id, status: "pending_approval" }]);
    const reviews = await world.send("GET", "/api/v1/reviews?mine=true&kind=access_request", { token });
    expect(reviews.json.items).toMatchObject([{ subject: { id } }]);
    expect((await world.send("GET", `${AT}?approverId=me&status=approved`, { token })).status).toBe(400);
    await bench.approve(id);
    expect(await own()).toEqual([]);
    expect((await world.send("GET", "/api/v1/reviews?mine=true&kind=access_request", { token })).json.items).toEqual(
      [],
    );
  });

  it("shows who decides what there is already, and what similar assets have", async () => {
    const bench = await requestBench(world);
    await bench.decide({ parameters: { other: true } });
    await bench.tick();
    const { id } = await bench.asked("pending_approval");
    expect(await bench.request(id)).toMatchObject({
      existingAccess: [{ effective: true }],
      similarAssets: { access: expect.any(Array) },
    });
  });

  it("is cancelled with what was granted of it", async () => {
    const bench = await requestBench(world);
    bench.account.script = (method, phase, spec) => {
      if (method === "grant" && phase === "before" && spec?.profileExternalId === "write")
        throw new ConnectorError("invalid", "It takes no such grant.");
    };
    const items = [bench.accessProfileId, bench.writeProfileId].map((accessProfileId) => ({
      ...{ accessProfileId, resourceId: bench.resourceId },
    }));
    const { id } = await bench.asked("pending_approval", { items, duration: "P20D" });
    await bench.approve(id);
    await bench.tick();
    expect((await bench.request(id)).status).toBe("partially_provisioned");
    expect(bench.account.held.size).toBe(1);
    bench.account.script = undefined;
    expect((await bench.verb(id, "cancel", bench.requester, REASON)).json.status).toBe("cancelled");
    await bench.tick();
    expect(bench.account.held.size).toBe(0);
  });

  it("is cancelled by those who asked, the owner of the asset, or who may cancel any", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    expect((await bench.verb(id, "cancel", bench.first, REASON)).status).toBe(403);
    expect((await bench.verb(id, "cancel", await world.a.newUser(["governance_officer"]), REASON)).status).toBe(200);
    expect((await bench.verb(id, "approve", bench.first, { expectedScopeHash: "x" })).status).toBe(409);
  });

  it("ends with its asset, and what was begun of it is taken back", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    await bench.approve(id);
    const waiting = await bench.asked("pending_approval", { items: [write(bench)] });
    await bench.verb(id, "provision", world.a.owner);
    expect((await bench.request(id)).status).toBe("provisioning");
    const headers = { "if-match": "*" };
    const gone = await world.send("DELETE", `/api/v1/ai-assets/${bench.assetId}`, {
      token: world.a.owner.token,
      headers,
    });
    expect(gone.status, gone.text).toBeLessThan(300);
    expect(await bench.request(waiting.id)).toMatchObject({
      status: "cancelled",
      resolution: { code: "asset_retired" },
    });
    await bench.tick();
    await bench.tick();
    expect((await bench.request(id)).status).toBe("provision_failed");
    expect(bench.account.held.size).toBe(0);
  });

  it("begins later where it asks for that", async () => {
    const bench = await requestBench(world);
    const notBefore = new Date(world.clock.now() + 2 * HOUR).toISOString();
    const { id } = await bench.asked("pending_approval", { notBefore });
    await bench.approve(id);
    await bench.tick();
    expect((await bench.request(id)).status).toBe("scheduled");
    await bench.tick(3 * HOUR);
    expect((await bench.request(id)).status).toBe("provisioned");
  });

  it("begins within 90 days", async () => {
    const bench = await requestBench(world);
    const at = (days: number) => new Date(world.clock.now() + days * 24 * HOUR).toISOString();
    const late = await bench.ask({ notBefore: at(91) });
    expect([late.status, late.json.errors[0].pointer]).toEqual([400, "/notBefore"]);
    await bench.asked("pending_approval", { notBefore: at(89) });
  });

  it("waits while provisioning is switched off, and its approval does not last for ever", async () => {
    const bench = await requestBench(world, { approvalValidFor: "PT2H" });
    const { id } = await bench.asked("pending_approval");
    const flip = async (status: string) => {
      const { token } = world.provider.owner;
      const body = { status, ...REASON };
      const done = await world.send("POST", "/api/v1/support/kill-switches/access.provision", { token, body });
      expect(done.status, done.text).toBe(200);
    };
    await flip("engaged");
    await bench.approve(id);
    await bench.tick();
    expect((await bench.request(id)).status).toBe("approved");
    await bench.tick(3 * HOUR);
    expect((await bench.request(id)).status).toBe("expired");
    await flip("released");
  });

  it("tells of each step once", async () => {
    const bench = await requestBench(world);
    const { id } = await bench.asked("pending_approval");
    await bench.approve(id);
    expect((await bench.approve(id)).status).toBe(200);
    await bench.tick();
    const reported = (await eventsOf(world.a)).filter(({ attributes }) => attributes.includes(`"subject":"${id}"`));
    const states = reported.flatMap(({ attributes }) => /"tostate":"(\w+)"/.exec(attributes)?.[1] ?? []);
    for (const state of ["pending_approval", "approved", "provisioning", "provisioned"])
      expect(states.filter((one) => one === state)).toHaveLength(1);
  });
});

const write = ({ writeProfileId, resourceId }: { writeProfileId: string; resourceId: string }) => ({
  ...{ accessProfileId: writeProfileId, resourceId },
});

describe("the list of connected systems that take requests", () => {
  it("names what requests name, and the schema of a request", async () => {
    const bench = await requestBench(world);
    const { token } = bench.requester;
    const listed = await world.send("GET", "/api/v1/access-connectors?size=100", { token });
    expect(listed.json.items.map((one: { catalogItemId: string }) => one.catalogItemId)).toContain(
      bench.connectorInstanceId,
    );
    const path = `/api/v1/access-connectors/${bench.connectorInstanceId}/request-schema`;
    const { json } = await world.send("GET", path, { token });
    expect(json.properties.items.items.oneOf).toHaveLength(2);
    expect(json.properties.connectorInstanceId).toEqual({ const: bench.connectorInstanceId });
  });

  it("has those whose maintenance is over, from that moment on", async () => {
    const bench = await requestBench(world);
    const { token } = world.a.actors.owner;
    const path = `/api/v1/connector-instances/${bench.connectorInstanceId}`;
    const maintenance = { until: new Date(world.clock.now() + 1_000).toISOString() };
    const body = { status: "maintenance", reason: "because a test wants it so", maintenance };
    expect((await world.send("PATCH", path, { token, body })).status).toBe(200);
    const isListed = async () => {
      const { items } = (await world.send("GET", "/api/v1/access-connectors?size=100", { token })).json;
      return items.some((one: { catalogItemId: string }) => one.catalogItemId === bench.connectorInstanceId);
    };
    expect(await isListed()).toBe(false);
    world.clock.advance(1_000);
    expect(await isListed()).toBe(true);
  });
});
