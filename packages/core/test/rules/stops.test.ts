import { type Actor, sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { doneBy } from "#families/reviews/reviews/stop-words.js";
import { machines } from "#reference/index.js";
import { eventsOf } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, rateLimits: "off" });
});

const REASON = "It read what it should not.";
/** What takes something out of use, in the words of machines. */
const STOPPING = /^(?:suspend|terminate|revoke|disable|engage|block|halt|maintain|stop)$/;

/** Transitions with such a word that want a reason before all the same, because they loosen. */
const LOOSENS = ["policyStatus: disable"];

describe("transitions", () => {
  const asked = machines.flatMap(({ name, transitions }) =>
    transitions.filter(({ automatic }) => !automatic).map((row) => ({ ...row, act: `${name}: ${row.event}` })),
  );

  it("that stop want no reason before, and those that want one stop nothing", () => {
    const held = asked.filter(({ event, needsReason }) => STOPPING.test(event) && needsReason).map(({ act }) => act);
    expect(held).toEqual(LOOSENS);
    expect(asked.filter(({ stops, needsReason }) => stops && needsReason)).toEqual([]);
  });

  it("that stop have plain words for the request of a reason", () => {
    expect(asked.filter(({ stops, act }) => stops && doneBy(act) === undefined).map(({ act }) => act)).toEqual([]);
  });

  it("are each marked as stopping, or as one that waits for a reason", () => {
    const marked = (mark: "stops" | "needsReason") =>
      [...new Set(asked.filter((row) => row[mark]).map(({ act }) => act))].sort();
    expect({ stops: marked("stops"), waits: marked("needsReason") }).toMatchInlineSnapshot(`
      {
        "stops": [
          "accessAssignmentStatus: revoke",
          "accessProfileStatus: disable",
          "accessSyncStatus: cancel",
          "agentToolTokenStatus: revoke",
          "connectorImportStatus: cancel",
          "connectorInstanceStatus: disable",
          "connectorInstanceStatus: maintain",
          "decisionApprovalStatus: withdraw",
          "enrolmentCodeStatus: revoke",
          "exemptionStatus: revoke",
          "governanceState: suspend",
          "identityStatus: revoke",
          "installationStatus: revoke",
          "killSwitchStatus: engage",
          "registryKeyStatus: revoke",
          "samlAppStatus: disable",
          "sessionStatus: suspend",
          "sessionStatus: terminate",
          "tenantStatus: close",
          "tenantStatus: suspend",
          "toolStatus: block",
          "userStatus: disable",
          "webhookStatus: disable",
        ],
        "waits": [
          "accessAssignmentStatus: attest",
          "accessCertificationStatus: cancel",
          "accessCertificationStatus: close",
          "accessCertificationStatus: confirm",
          "accessDriftScanStatus: accept",
          "accessDriftStatus: accept",
          "accessDriftStatus: repair",
          "accessDriftStatus: suppress",
          "accessRequestStatus: cancel",
          "accessRequestStatus: cancel_any",
          "accessRequestStatus: reject",
          "accessSyncStatus: accept",
          "assessmentStatus: return",
          "assetLifecycle: retire",
          "complianceResult: exclude",
          "complianceResult: exempt",
          "decisionApprovalStatus: reject",
          "exemptionStatus: reject",
          "governanceState: reinstate",
          "governanceState: reject",
          "haltStatus: lift",
          "killSwitchStatus: release",
          "policyStatus: archive",
          "policyStatus: disable",
          "tenantStatus: reactivate",
          "tenantStatus: reopen",
          "watchStatus: reject",
        ],
      }
    `);
  });
});

/** Operations that take something out of use, each by its sample. */
const STOPS = [
  "installationCodes.revoke",
  "installations.revoke",
  "registryKeys.revoke",
  "webhooks.disable",
  "aiApprovals.withdraw",
  ...["aiSessions.suspend", "aiSessions.terminate", "aiHalts.create", "accessAssignments.revoke"],
  ...["accessProfiles.disable", "agentToolTokens.revoke", "aiExemptions.revoke"],
  ...["support.setKillSwitch", "support.setTenantStatus", "support.setUserStatus"],
];

/** Operations that take something out of use by a state that their body names, or only while it runs. */
const STOPS_BY_BODY = [
  ...["users.patch", "aiAssets.replace", "aiAssets.changeGovernanceState", "aiAgents.replace", "aiModels.replace"],
  ...["aiTools.replace", "aiTools.review", "aiTools.reviewMany", "aiIdentities.replace", "mcpServers.replace"],
  ...["aiSessions.replace", "connectorInstances.patch", "integrations.patch", "catalog.replaceInstance"],
  ...["integrations.cancelImport", "accessTargets.cancelSync", "samlApps.update", "apps.update"],
];

/** Reasons that hold no stop back: none, a short one, one that is far too long, no text, and one with a secret in it. */
const SECRET = "ghp_0123456789abcdefghij0123";
const REASONS = {
  "no reason": undefined,
  "a short one": "STOP",
  "one of 30,000 characters": "🛑".repeat(15_000),
  "a number": 7,
  "one with a secret": `The key ${SECRET} has leaked.`,
} as const;

describe("a stop", () => {
  const operationOf = (id: string) => table.find((one) => one.id === id) as (typeof table)[number];
  const inboxOf = async ({ token }: Actor) =>
    (await world.send("GET", "/api/v1/reviews?kind=stop_reason&mine=true&size=100", { token })).json.items as {
      id: string;
      name: string;
      subject: { id: string };
    }[];

  it("is marked at each operation that can be one, and asked for here or by the state in a body", () => {
    const marked = table.filter(({ stops }) => stops).map(({ id }) => id);
    expect(marked.sort()).toEqual([...STOPS, ...STOPS_BY_BODY].sort());
  });

  it("is every operation that a machine knows as one, and those beside machines", () => {
    const named = table.filter(({ id }) =>
      /\.(?:suspend|terminate|revoke|disable|block|halt|cancelSync|cancelImport)$/.test(id),
    );
    const without = named.filter(({ errors = [] }) => !errors.includes("missing_reason"));
    expect(named.filter((one) => !without.includes(one)).map(({ id }) => id)).toEqual([]);
  });

  it.each(STOPS.flatMap((id) => Object.entries(REASONS).map(([what, reason]) => [id, what, reason] as const)))(
    "by %s takes effect with %s, and asks for a reason",
    async (id, _what, reason) => {
      const operation = operationOf(id);
      const isProviders = typeof operation.access === "object" && operation.access.provider === true;
      const caller = isProviders ? world.provider.owner : await world.a.newUser(["owner"]);
      const before = (await inboxOf(caller)).map((one) => one.id);
      const params = (await sampleOf(operation).arrange?.(world.a, caller)) ?? {};
      const { reason: _given, ...body } = { ...sampleOf(operation).body?.(world.a, caller) } as Record<string, unknown>;
      const sent = { ...body, ...(reason ? { reason } : {}) };
      const answer = await sendSample(world.a, operation, caller, { params, body: sent });
      expect(answer.status, answer.text).toBe(operation.success.status);
      const kept = JSON.stringify(await eventsOf(isProviders ? world.provider : world.a));
      expect(kept).not.toContain(SECRET);
      if (String(reason).length > 2_000) expect(kept).toContain("[…] (cut)");
      const asked = (await inboxOf(caller)).filter((one) => !before.includes(one.id));
      expect(asked).toHaveLength(1);
      const path = `/api/v1/reviews/${asked[0]?.id}/reason`;
      const explain = (given: string, { token } = caller) =>
        world.send("POST", path, { token, body: { reason: given } });
      expect((await explain("STOP")).json.code).toBe("missing_reason");
      if (!isProviders) expect((await explain(REASON, world.a.actors.auditor)).json.code).toBe("permission_denied");
      expect((await explain(REASON, world.b.owner)).status).toBe(404);
      expect((await explain(REASON)).status).toBe(200);
      expect((await inboxOf(caller)).map((one) => one.id)).toEqual(before);
      const reported = await world.send("GET", `/api/v1/ai/activity/${asked[0]?.subject.id}`, { token: caller.token });
      expect(reported.json.items[0]).toMatchObject({ type: "reeve.stop.explained.v1", data: { reason: REASON } });
    },
  );

  it("with a reason asks for nothing", async () => {
    const caller = await world.a.newUser(["owner"]);
    for (const id of STOPS.filter((one) => !one.startsWith("support.")))
      await sendSample(world.a, operationOf(id), caller);
    expect(await inboxOf(caller)).toEqual([]);
  });

  it.each(Object.entries(REASONS))(
    "by the state of an asset or of a user takes effect with %s",
    async (_what, reason) => {
      const caller = await world.a.newUser(["owner"]);
      const patch = (path: string, body: object) =>
        world.send("PATCH", `/api/v1/${path}`, { token: caller.token, body: { ...body, reason } });
      const id = await world.a.newAsset();
      const suspended = await patch(`ai-assets/${id}/governance-state`, { status: "suspended" });
      expect(suspended.json.governanceState, suspended.text).toBe("suspended");
      const { userId } = await world.a.newUser(["member"]);
      expect((await patch(`users/${userId}`, { status: "disabled" })).json.status).toBe("disabled");
      const subjects = (await inboxOf(caller)).map(({ subject }) => subject.id);
      expect(subjects.sort()).toEqual([id, userId].sort());
    },
  );
});
