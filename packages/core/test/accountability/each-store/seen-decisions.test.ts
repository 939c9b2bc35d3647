import { type Actor, newAssessment, newSubmittedAssessment, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { findingsOf } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

const GOVERNANCE = "/api/v1/ai-governance";
const reason = "because a test wants it so";
const unseen = { status: 428, json: { code: "precondition_required" } };
const refused = { status: 403, json: { code: "self_approval_forbidden" } };

let world: World;
let at: ReturnType<typeof findingsOf>;
beforeAll(async () => {
  world = await createWorld();
  at = findingsOf(world);
});

const read = async (path: string) => (await world.send("GET", path, { token: world.a.owner.token })).json;
const send = (method: string, path: string, body: object, { token }: Pick<Actor, "token">, version?: unknown) =>
  world.send(method, path, {
    token,
    body,
    ...(version === undefined ? {} : { headers: { "if-match": version === "*" ? "*" : `"${version}"` } }),
  });

/** Each with somebody who may decide, and with a change by somebody else. */
const CASES = {
  "an exemption": {
    async arrange() {
      const { id } = await at.requested({ scope: { fingerprint: (await at.found()).fingerprint } });
      return { method: "PATCH", record: `${GOVERNANCE}/exemptions/${id}`, path: "/approve", change: undefined };
    },
    body: {},
  },
  "an impact assessment": {
    async arrange() {
      const id = await newSubmittedAssessment(world.a);
      const record = `${GOVERNANCE}/assessments/${id}`;
      const { operator } = world.a.actors;
      const change = async () => {
        await send("PATCH", `${record}/return`, { reason }, operator);
        await send("PUT", record, { conclusion: "It is something else." }, operator);
        await send("PATCH", `${record}/submit`, {}, operator);
      };
      return { method: "PATCH", record, path: "/approve", change };
    },
    body: {},
  },
  ...Object.fromEntries(
    (["compliant", "exempted", "not_applicable"] as const).map((status) => [
      `a control as ${status}`,
      {
        async arrange() {
          const record = `/api/v1/ai/compliance/${await newAssessment(world.a)}`;
          const change = () => send("PUT", record, { rationale: "It is something else." }, world.a.owner);
          return { method: "PUT", record, path: "", change };
        },
        body: { status, reason },
      },
    ]),
  ),
};

describe.each(Object.entries(CASES))("S19 a decision about %s", (_what, { arrange, body }) => {
  it("names the version that was seen, and is refused when that has changed since", async () => {
    const { method, record, path, change } = await arrange();
    const { admin } = world.a.actors;
    const before = await read(record);
    for (const version of [undefined, "*"])
      expect(await send(method, `${record}${path}`, body, admin, version)).toMatchObject(unseen);
    expect(await read(record)).toEqual(before);
    await change?.();
    const { version, status } = await read(record);
    const old = change ? before.version : version + 1;
    expect(await send(method, `${record}${path}`, body, admin, old)).toMatchObject({
      status: 412,
      json: { code: "precondition_failed", current: version },
    });
    expect((await read(record)).status).toBe(status);
    const foreign = await send(method, `${record}${path}`, body, world.b.actors.admin, version);
    expect(foreign.status).toBe(404);
    expect((await send(method, `${record}${path}`, body, admin, version)).status).toBe(200);
    expect((await read(record)).status).not.toBe(status);
  });
});

describe("S19 an exemption that is approved from its finding", () => {
  it("names the version of the finding that was seen", async () => {
    const { id } = await at.found();
    await at.review(id, { action: "request_exemption", reason }, world.a.actors.operator);
    const { version } = await at.read(id);
    const path = `${GOVERNANCE}/findings/${id}/review-actions`;
    const approve = (seen?: unknown) => send("POST", path, { action: "approve_exemption" }, world.a.owner, seen);
    expect(await approve()).toMatchObject(unseen);
    await at.rewrite(id, { severity: "critical" });
    expect((await approve(version)).status).toBe(412);
    expect((await at.read(id)).status).toBe("open");
    await at.rewrite(id, { severity: "low" });
    expect((await approve((await at.read(id)).version)).status).toBe(201);
  });
});

describe("S19 who has claimed a fix", () => {
  const dismissal = { action: "dismiss", reasonCode: "duplicate", reason };
  const lower = { action: "override_severity", severity: "low", reason };

  it.each([
    ["dismissal", dismissal],
    ["lower severity", lower],
  ])("is no four-eyes approver about the %s of the finding", async (_what, wish) => {
    const { approver, governance_officer: officer, admin } = world.a.actors;
    const { id } = await at.found({ severity: "high" });
    await at.review(id, { action: "claim_fixed" }, approver);
    // Work that follows takes nothing of that back.
    await at.review(id, { action: "reopen", reason }, approver);
    await at.review(id, wish, officer);
    expect(await at.review(id, wish, approver)).toMatchObject(refused);
    expect((await at.review(id, wish, admin)).json.outcome).toBe("done");
  });

  it.each(["finding", "asset"] as const)("approves no exemption of the %s", async (scope) => {
    const { approver, operator, admin } = world.a.actors;
    const policyKey = world.a.unique().toLowerCase();
    const policyId = await world.a.newPolicy("posture", { key: policyKey });
    const { id: claimed, fingerprint, assetId } = await at.found({ policyId, policyKey });
    await at.review(claimed, { action: "claim_fixed" }, approver);
    const wanted = scope === "finding" ? { fingerprint } : { policyKey, assetId };
    const { id } = await at.requested({ scope: wanted }, operator);
    expect(await at.approve(id, approver)).toMatchObject(refused);
    expect((await at.approve(id, admin)).json.status).toBe("approved");
  });
});
