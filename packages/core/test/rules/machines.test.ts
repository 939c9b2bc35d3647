import { newFramework, START, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { targetsFrom } from "#kernel/records/machine.js";
import { type Machine, machines } from "#reference/index.js";
import { ReeveError } from "../../src/index.js";
import { eventsOf } from "../helpers/facts.js";
import { type Moving, machineBench } from "../helpers/machine-bench.js";
import { createWorld } from "../helpers/world.js";

const REASON = "a reason of more than ten characters";
const JUDGED_BY_RULES = "judged-by-rules";
const TERMINAL: Readonly<Record<string, readonly string[]>> = {
  tenantStatus: ["erasing"],
  identityStatus: ["revoked"],
  sessionStatus: ["terminated", "completed", "expired"],
  installationStatus: ["revoked"],
  enrolmentCodeStatus: ["used_up", "expired", "revoked"],
  registryKeyStatus: ["revoked"],
  watchStatus: ["rejected", "enforced", "expired", "lapsed"],
  policyStatus: ["archived"],
  evaluationRunStatus: ["completed", "completed_with_errors", "failed", "cancelled"],
  assessmentStatus: ["expired", "superseded"],
  exemptionStatus: ["rejected", "withdrawn", "revoked", "expired", "superseded", "lapsed"],
  haltStatus: ["lifted"],
  erasureStatus: ["approved", "declined"],
  factorResetStatus: ["approved", "declined"],
  connectorInstanceStatus: ["deleting"],
  connectorImportStatus: ["completed", "partially_completed", "failed", "cancelled", "expired", "superseded"],
  accessSyncStatus: ["complete", "partial", "failed", "cancelled"],
  accessDriftScanStatus: ["complete", "partial", "failed"],
  accessAssignmentStatus: ["revoked", "expired", "orphaned", "failed"],
  accessRequestStatus: ["provisioned", "rejected", "cancelled", "expired"],
  accessCertificationStatus: ["completed", "not_applicable", "cancelled"],
  accessCertificationItemStatus: ["excluded", "remediated", "auto_resolved"],
  agentToolTokenStatus: ["exhausted", "expired", "revoked"],
  delegationStatus: ["ended"],
  decisionApprovalStatus: ["rejected", "expired", "used", "withdrawn", "cancelled"],
};

/** For each guard: fields of a record that fail it and that pass it, or a step to do first. */
interface GuardCase {
  readonly fails: Record<string, unknown>;
  readonly passes: Record<string, unknown>;
}
const NOTHING_RELATED = { relations: [] };
const NOT_BLOCKED = { blockedBy: null, credentialExpiresAt: null };
const PIN = { alg: "a/1", current: "d1", approved: "d1", state: "in_sync", approvedAt: null, approvedBy: null };
const FREE = { agentId: null };
const NO_LIMITS = { maxIterations: null, maxCostUsd: null, maxDurationSec: null, idleTimeoutSec: null };
const DOCUMENT = {
  ...{ id: "evd_1", type: "document", ref: "a shelf", digest: null, note: "", collectedAt: START, validUntil: null },
  ...{ by: "someone", addedAt: START, retiredAt: null, retiredBy: null },
};
const SOUND = {
  riskTier: "high",
  governanceState: "approved",
  approvedUntil: null,
  owner: { type: "external", id: "someone", name: "someone" },
  sponsor: { type: "external", id: "someone else", name: "someone else" },
  ...NOTHING_RELATED,
};
const TESTED = { lastTest: { outcome: "passed", configurationVersion: 1, at: START } };
const ANOTHER_ASSET = {
  ...{ assetType: "dataset", environment: "production", riskTier: "high" },
  ...{ dataClassification: "restricted", autonomy: "autonomous", purpose: "another" },
};
const GUARD_CASES: Readonly<Record<string, GuardCase>> = {
  "factorResetStatus.recent": { fails: { createdAt: "2020-01-01T00:00:00.000Z" }, passes: { createdAt: START } },
  "assetLifecycle.approved": { fails: { ...SOUND, governanceState: "unreviewed" }, passes: SOUND },
  "assetLifecycle.permitted": { fails: { ...SOUND, riskTier: "prohibited" }, passes: SOUND },
  "governanceState.permitted": { fails: { riskTier: "prohibited" }, passes: { riskTier: "high" } },
  "assetLifecycle.accountable": { fails: { ...SOUND, sponsor: null }, passes: SOUND },
  "assetLifecycle.relationsResolved": {
    fails: { ...SOUND, relations: [{ type: "uses", targetId: "ast_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" }] },
    passes: SOUND,
  },
  "assetLifecycle.recordReady": {
    fails: { ...SOUND, assetType: "mcp_server" },
    passes: { ...SOUND, assetType: "other" },
  },
  "assetLifecycle.gatesPass": { fails: { ...SOUND, gate: true }, passes: SOUND },
  "assetLifecycle.dependenciesUsable": { fails: { ...SOUND, onSuspended: true }, passes: SOUND },
  "governanceState.nothingStopped": { fails: { priorGovernanceState: "suspended" }, passes: {} },
  "governanceState.nothingChanged": { fails: { changedInReview: true }, passes: { changedInReview: false } },
  "governanceState.priorState": { fails: { priorGovernanceState: "under_review" }, passes: {} },
  "identityStatus.inTime": { fails: { credentialExpiresAt: "2020-01-01T00:00:00.000Z" }, passes: NOT_BLOCKED },
  "identityStatus.notBlocked": { fails: { ...NOT_BLOCKED, blockedBy: "lifecycle:retired" }, passes: NOT_BLOCKED },
  "toolStatus.pinned": { fails: { pin: { ...PIN, current: null } }, passes: {} },
  "toolStatus.asApproved": { fails: { pin: { ...PIN, current: "d2" } }, passes: {} },
  "sessionStatus.agentUsable": { fails: { agentId: "ast_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" }, passes: FREE },
  "sessionStatus.identityUsable": {
    fails: { ...FREE, identityId: "idn_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" },
    passes: { ...FREE, identityId: null },
  },
  "sessionStatus.withinLimits": {
    fails: { ...FREE, limitsInForce: { ...NO_LIMITS, maxDurationSec: 0.001 } },
    passes: { ...FREE, limitsInForce: NO_LIMITS },
  },
  "policyStatus.proven": {
    fails: { tests: [] },
    passes: { tests: [{ name: "named", input: { asset: { name: "x" } }, expect: "pass" }] },
  },
  "exemptionStatus.timely": {
    fails: { expiresAt: "2020-01-01T00:00:00.000Z" },
    passes: { expiresAt: "2026-03-01T00:00:00.000Z" },
  },
  "watchStatus.timely": {
    fails: { expiresAt: "2020-01-01T00:00:00.000Z" },
    passes: { expiresAt: "2026-03-01T00:00:00.000Z" },
  },
  "assessmentStatus.answered": { fails: { conclusion: "" }, passes: { conclusion: "It may be used." } },
  "assessmentStatus.current": {
    fails: { assessed: ANOTHER_ASSET },
    passes: {},
  },
  "assessmentStatus.timely": {
    fails: { validUntil: "2020-01-01T00:00:00.000Z" },
    passes: { validUntil: "2026-03-01T00:00:00.000Z" },
  },
  "complianceResult.judgedByPeople": {
    fails: { framework: JUDGED_BY_RULES, controlId: "C 1" },
    passes: { framework: "nist-ai-rmf-1.0", controlId: "GOVERN 1.1" },
  },
  "complianceResult.assessed": { fails: { assessedAt: null }, passes: { assessedAt: START } },
  "complianceResult.evidenced": { fails: { evidence: [] }, passes: { evidence: [DOCUMENT] } },
  "connectorInstanceStatus.tested": { fails: { lastTest: null }, passes: TESTED },
  "connectorInstanceStatus.timely": {
    fails: { maintenance: { until: "2020-01-01T00:00:00.000Z", reason: REASON } },
    passes: { maintenance: { until: "2027-01-01T00:00:00.000Z", reason: REASON } },
  },
  "userStatus.passwordSet": { fails: { withoutPassword: true }, passes: {} },
};

/** Fields with which every guard of every machine passes. `to` is for guards that depend on the target. */
const passing = (to: string): Record<string, unknown> => ({
  ...SOUND,
  pin: PIN,
  priorGovernanceState: to,
  requestedBy: null,
  involved: { ids: [], beyond: 0 },
  ...TESTED,
});

const events = (machine: Machine) => [...new Set(machine.transitions.map(({ event }) => event))];
const states = (machine: Machine) => Object.keys(machine.states);
const rowsOf = (machine: Machine) =>
  machine.transitions.flatMap((row) => row.from.map((from) => ({ ...row, from, guards: row.guards ?? [] })));

describe.each(machines.map((machine) => [machine.name, machine] as const))("machine %s", (name, machine) => {
  let world: World;
  let bench: ReturnType<typeof machineBench>;
  /** What the world has assessed of its asset. */
  let assessed: unknown;
  beforeAll(async () => {
    world = await createWorld();
    await newFramework(world.a, { kind: "automated" }, JUDGED_BY_RULES);
    bench = machineBench(world, world.a, machine);
    ({ assessed } = await bench.template());
  });

  /** Only fields of the collection's schema, because others cannot be stored. */
  async function fieldsFor(to: string): Promise<Record<string, unknown>> {
    const known = await bench.template();
    return Object.fromEntries(
      Object.entries({ ...passing(to), assessed }).filter(([field]) => field in known && field !== machine.field),
    );
  }

  it("reaches every state and leaves every state that is not terminal", () => {
    const reached = new Set<string>(machine.initial);
    for (let size = 0; size !== reached.size; ) {
      size = reached.size;
      for (const { from, to } of rowsOf(machine)) if (reached.has(from)) reached.add(to);
    }
    expect([...reached].sort()).toEqual(states(machine).sort());
    const left = new Set(rowsOf(machine).map(({ from }) => from));
    expect(states(machine).filter((state) => !left.has(state))).toEqual(TERMINAL[name] ?? []);
  });

  it("has no two rows for the same event, state and target, and stays where it says so only", () => {
    const keys = rowsOf(machine).map(({ event, from, to }) => `${event} ${from} ${to}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(rowsOf(machine).filter(({ from, to, stays = false }) => (from === to) !== stays)).toEqual([]);
  });

  it("names only its own states and guards, and uses every guard", () => {
    for (const { from, to, guards } of rowsOf(machine)) {
      expect([from, to].filter((state) => !(state in machine.states))).toEqual([]);
      expect(guards.filter((guard) => !(guard in machine.guards))).toEqual([]);
    }
    const used = new Set(rowsOf(machine).flatMap(({ guards }) => guards));
    expect(Object.keys(machine.guards).filter((guard) => !used.has(guard))).toEqual([]);
  });

  it.each(states(machine))("refuses every event and target that is not in its table, from %s", async (state) => {
    const record = await bench.place(state);
    const before = { record: await bench.stored(record.id), events: (await eventsOf(bench.home)).length };
    const legal = rowsOf(machine).filter(({ from, automatic }) => from === state && !automatic);
    const wrong = [
      ...events(machine)
        .filter((event) => !legal.some((row) => row.event === event))
        .map((event) => ({ event })),
      ...states(machine)
        .filter((to) => to !== state && !legal.some((row) => row.to === to))
        .map((to) => ({ to })),
      { to: "nowhere" },
      { to: "__proto__" },
    ];
    for (const move of wrong) {
      const refusal = await bench.move(record, move, { reason: REASON });
      expect(refusal).toBeInstanceOf(ReeveError);
      expect(refusal).toMatchObject({
        code: "invalid_transition",
        status: 409,
        members: { current: state, allowed: targetsFrom(machine, state) },
      });
    }
    expect(await bench.stored(record.id)).toEqual(before.record);
    expect((await eventsOf(bench.home)).length).toBe(before.events);
  });

  it.each(states(machine))("writes nothing when %s is asked for in %s", async (state) => {
    const record = await bench.place(state);
    const before = (await eventsOf(bench.home)).length;
    expect(await bench.move(record, { to: state }, {}, { permissions: new Set() })).toBe(record);
    expect((await bench.stored(record.id)).version).toBe(record.version);
    expect((await eventsOf(bench.home)).length).toBe(before);
  });

  it.each(rowsOf(machine).map((row) => [`${row.from} --${row.event}--> ${row.to}`, row] as const))(
    "follows %s and asks for all it declares",
    async (_row, row) => {
      const record = await bench.place(row.from, await fieldsFor(row.to));
      const move = { event: row.event, to: row.to };
      const asked = events(machine).length > 0 && ambiguous(row) ? { to: row.to } : { event: row.event };
      const trigger = row.automatic ? ({ triggeredBy: "system" } as const) : {};
      if (row.needsReason) {
        for (const reason of [undefined, "", "too short", " ".repeat(20)]) {
          expect(await bench.move(record, asked, { reason })).toMatchObject({ code: "missing_reason", status: 400 });
        }
      }
      if (row.permission) {
        expect(await bench.move(record, asked, { reason: REASON }, { permissions: new Set() })).toMatchObject({
          code: "permission_denied",
          members: { permission: row.permission },
        });
      }
      if (row.automatic) {
        const byOthers = rowsOf(machine).some(
          ({ from, to, automatic }) => !automatic && from === row.from && to === row.to,
        );
        for (const ask of [{ event: move.event }, ...(byOthers ? [] : [{ to: move.to }])])
          expect(await bench.move(record, ask, { reason: REASON })).toMatchObject({ code: "invalid_transition" });
      }
      const before = (await eventsOf(bench.home)).length;
      // A stop acts whatever the reason is.
      const reason = row.stops ? "STOP" : REASON;
      const moved = (await bench.move(record, asked, { reason, ...trigger })) as Moving;
      expect(moved).toMatchObject({ [machine.field]: row.to, version: record.version + 1 });
      expect(await bench.stored(record.id)).toEqual(moved);
      // Findings that follow from a transition have events of their own.
      const isOfFinding = ({ attributes }: { readonly attributes: string }) => /"reeve\.finding\./.test(attributes);
      const added = (await eventsOf(bench.home)).slice(before).filter((one) => !isOfFinding(one));
      expect(added).toHaveLength(1);
      expect(JSON.parse(added[0]?.attributes as string)).toMatchObject({
        type: `reeve.${machine.eventType}.v1`,
        machine: machine.name,
        fromstate: row.from,
        tostate: row.to,
        subject: record.id,
      });
      expect(JSON.parse(added[0]?.data as string)).toMatchObject({
        event: row.event,
        reason,
        guards: row.guards,
      });
    },
  );

  /** Whether another row of this event leaves the same state, so that only the target distinguishes them. */
  function ambiguous(row: { event: string; from: string; to: string }): boolean {
    return rowsOf(machine).filter(({ event, from }) => event === row.event && from === row.from).length > 1;
  }

  const moveOf = ({ event, to, stays }: { event: string; to: string; stays?: boolean }) => (stays ? { event } : { to });

  const second = rowsOf(machine).filter(({ fourEyes }) => fourEyes);
  it.each(second.map((row) => [row.event, row] as const))("wants a four-eyes approver for %s", async (_event, row) => {
    const me = world.a.owner.userId;
    for (const fields of [{ requestedBy: me }, { owner: { type: "user", id: me } }]) {
      const record = await bench.place(row.from, { ...(await fieldsFor(row.to)), ...fields });
      expect(await bench.move(record, moveOf(row), { reason: REASON })).toMatchObject({
        code: "self_approval_forbidden",
        status: 403,
      });
      const other = await bench.move(record, moveOf(row), { reason: REASON }, { userId: "usr_other" });
      expect(other).toMatchObject({ [machine.field]: row.to });
    }
  });

  const ofPeople = rowsOf(machine).filter(({ fourEyes, byPeople }) => fourEyes || byPeople);
  it.each(ofPeople.map((row) => [`${row.event} from ${row.from}`, row] as const))(
    "lets no machine client %s",
    async (_event, row) => {
      const record = await bench.place(row.from, await fieldsFor(row.to));
      const refused = await bench.move(record, moveOf(row), { reason: REASON }, { kind: "client" });
      expect(refused).toMatchObject({ code: "permission_denied", status: 403 });
      expect(await bench.stored(record.id)).toEqual(record);
    },
  );

  const owned = rowsOf(machine).filter(({ ownerMay }) => ownerMay);
  it.each(owned.map((row) => [`${row.event} from ${row.from}`, row] as const))(
    "lets the owner %s without the permission",
    async (_event, row) => {
      const owner = { type: "user", id: world.a.owner.userId };
      const record = await bench.place(row.from, { ...(await fieldsFor(row.to)), owner });
      const moved = await bench.move(record, { to: row.to }, { reason: REASON }, { permissions: new Set() });
      expect(moved).toMatchObject({ [machine.field]: row.to });
    },
  );

  const guarded = rowsOf(machine).flatMap((row) => row.guards.map((guard) => ({ guard, row })));
  it.each(guarded.map(({ guard, row }) => [guard, `${row.from} --${row.event}--> ${row.to}`, row] as const))(
    "guard %s holds back %s until its condition is met",
    async (guard, _row, row) => {
      const guardCase = GUARD_CASES[`${name}.${guard}`];
      if (!guardCase) throw new Error(`no case for guard ${name}.${guard}`);
      const { gate, onSuspended, withoutPassword, ...fails } = guardCase.fails;
      const asked = ambiguous(row) ? { to: row.to } : { event: row.event };
      const how = { reason: REASON, ...(row.automatic ? ({ triggeredBy: "system" } as const) : {}) };
      const sound = { ...(await fieldsFor(row.to)), ...guardCase.passes };
      const relations = onSuspended ? { relations: [{ type: "uses", targetId: await suspendedAsset() }] } : {};
      let record = await bench.place(row.from, { ...sound, ...fails, ...relations });
      if (gate) {
        await world.a.newFinding(record.id, { gate: true });
        record = await bench.stored(record.id);
      }
      if (withoutPassword) await setPassword(record.id, null);
      const refusal = await bench.move(record, asked, how);
      expect(refusal).toMatchObject({ code: "transition_guard_failed", status: 409 });
      const found = (refusal as ReeveError).members.guards as { key: string; ok: boolean; detail: string }[];
      expect(found.filter(({ ok }) => !ok).map(({ key }) => key)).toEqual([guard]);
      expect((await bench.stored(record.id)).version).toBe(record.version);
      if (gate) await closeFindings();
      if (withoutPassword) await setPassword(record.id, "$hash");
      record = await bench.place(row.from, sound);
      expect(await bench.move(record, asked, how)).toMatchObject({ [machine.field]: row.to });
    },
  );

  async function rewrite(collectionName: string, change: (record: Moving) => Record<string, unknown> | undefined) {
    const { collections } = await import("#reference/index.js");
    const collection = collections.find((candidate) => candidate.name === collectionName) as typeof bench.collection;
    const store = world.store.forTenant(world.a.tenantId);
    for (const { value } of await store.scan(collection, { size: 1_000 })) {
      const patch = change(value);
      if (patch) await store.replace(collection, { ...value, ...patch, version: value.version + 1 }, value);
    }
  }
  async function suspendedAsset(): Promise<string> {
    const { a } = world;
    const id = await a.newAsset({ assetType: "model" });
    const path = `/api/v1/ai-assets/${id}/governance-state`;
    const body = { status: "suspended", reason: REASON };
    const suspended = await a.send("PATCH", path, { token: a.owner.token, body });
    expect(suspended.status, suspended.text).toBe(200);
    return id;
  }
  const setPassword = (id: string, passwordHash: string | null) =>
    rewrite("credentials", (record) => (record.id === id ? { passwordHash } : undefined));
  const closeFindings = () => rewrite("findings", () => ({ status: "resolved" }));
});

describe("every guard", () => {
  it("has a case, and every case a guard", () => {
    const guards = machines.flatMap(({ name, guards: own }) => Object.keys(own).map((guard) => `${name}.${guard}`));
    expect(Object.keys(GUARD_CASES).sort()).toEqual(guards.sort());
  });
});
