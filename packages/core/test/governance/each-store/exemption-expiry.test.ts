import type { Actor, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { blockingFindings, countFindingsBy, type Finding } from "#families/findings/index.js";
import { type Exemption, exemptions } from "#families/governance/index.js";
import { eventTypes } from "../../helpers/facts.js";
import { DAY, EXEMPTIONS, FINDINGS, findingsOf, REASON } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let at: ReturnType<typeof findingsOf>;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  at = findingsOf(world);
});

const now = () => new Date(world.clock.now()).toISOString();
/** Advances the clock, and signs in the owner again. */
async function later(days: number): Promise<Actor> {
  world.clock.advance(days * DAY);
  await world.a.signInToSpare();
  return world.a.spare;
}

/**
 * A production asset that only a finding of a gating policy keeps from production, with that finding exempted for ten
 * days.
 */
async function exemptedGate(days = 10) {
  const assetId = await world.a.newAsset({ environment: "production" });
  const path = `/api/v1/ai-assets/${assetId}`;
  await at.ask("PATCH", `${path}/lifecycle`, { status: "validation" });
  await at.ask("PATCH", `${path}/governance-state`, { status: "under_review" }, world.a.actors.operator);
  await at.ask("PATCH", `${path}/governance-state`, { status: "approved" }, world.a.actors.approver);
  const finding = await at.found({ gate: true, severity: "high" }, assetId);
  const scope = { fingerprint: finding.fingerprint };
  const exemption = await at.approved({ scope, expiresAt: at.inDays(days) });
  return { assetId, finding, exemption, path };
}

/** The status of a finding by every endpoint that shows it. */
async function everyPath({ assetId, finding, path }: Awaited<ReturnType<typeof exemptedGate>>, who: Actor) {
  const { id, policyId, ruleKey, policyKey } = finding;
  const get = async (url: string) => (await at.ask("GET", url, undefined, who)).json;
  const shown = async (url: string) =>
    (await get(url)).items.find((each: Finding) => each.id === id)?.status ?? "absent";
  const count = async (query: string) => (await get(`${FINDINGS}?${query}`)).totalItems;
  const reader = world.store.forTenant(world.a.tenantId);
  const tally = await countFindingsBy(reader, "standing", now());
  const standing = (status: string) => tally.get(`${policyKey}/${ruleKey}:${status}`) ?? 0;
  return {
    get: (await get(`${FINDINGS}/${id}`)).status,
    list: await shown(FINDINGS),
    search: await shown(`${FINDINGS}?search=${encodeURIComponent(finding.title)}`),
    ofAsset: await shown(`${path}/governance-findings`),
    amongOpen: await shown(`${FINDINGS}?status=open`),
    amongExempted: await shown(`${FINDINGS}?status=exempted`),
    byAll: await shown(`${FINDINGS}?status=open&severity=high&assetId=${assetId}&policyId=${policyId}`),
    searchedOpen: await shown(`${FINDINGS}?status=open&search=${encodeURIComponent(finding.title)}`),
    counts: [await count(`status=open&policyId=${policyId}`), await count(`status=exempted&policyId=${policyId}`)],
    standings: [standing("open"), standing("exempted")],
    blocking: (await blockingFindings(reader, assetId, now())).length,
    production: (await at.ask("PATCH", `${path}/lifecycle`, { status: "production" }, who)).status,
  };
}
const EXEMPTED = {
  get: "exempted",
  list: "exempted",
  search: "exempted",
  ofAsset: "exempted",
  amongOpen: "absent",
  amongExempted: "exempted",
  byAll: "absent",
  searchedOpen: "absent",
  counts: [0, 1],
  standings: [0, 1],
  blocking: 0,
  production: 200,
};
const OPEN = {
  get: "open",
  list: "open",
  search: "open",
  ofAsset: "open",
  amongOpen: "open",
  amongExempted: "absent",
  byAll: "open",
  searchedOpen: "open",
  counts: [1, 0],
  standings: [1, 0],
  blocking: 1,
  production: 409,
};

describe("an exemption whose time is over", () => {
  it("exempts on no path from that very moment on, before any tick and after it", async () => {
    const exempted = await exemptedGate();
    const before = await exemptedGate();
    world.clock.set(new Date(Date.parse(before.exemption.expiresAt) - 1).toISOString());
    await world.a.signInToSpare();
    expect(await everyPath(before, world.a.spare)).toEqual(EXEMPTED);
    world.clock.advance(1);
    expect(await everyPath(exempted, world.a.spare)).toEqual(OPEN);
    const seen = await at.read(exempted.finding.id, world.a.spare);
    await world.controlPlane.tick();
    expect(await everyPath(exempted, world.a.spare)).toEqual(OPEN);
    const written = await at.read(exempted.finding.id, world.a.spare);
    expect(written).toEqual({ ...seen, version: seen.version + 1, updatedAt: now(), updatedBy: "system" });
  });

  it("is told to whoever has read the finding before, whose version is still the same", async () => {
    const { finding } = await exemptedGate();
    const read = (token: string, etag?: string) =>
      world.send("GET", `${FINDINGS}/${finding.id}`, {
        token,
        ...(etag ? { headers: { "if-none-match": etag } } : {}),
      });
    const first = await read(world.a.owner.token);
    const { etag = "" } = first.headers;
    expect(first.json.status).toBe("exempted");
    expect((await read(world.a.owner.token, etag)).status).toBe(304);
    const { token } = await later(10);
    expect(await read(token, etag)).toMatchObject({ status: 200, json: { status: "open" }, headers: { etag } });
  });

  it("reads as expired itself, alone and in lists, and cannot be revoked any more", async () => {
    const { exemption } = await exemptedGate();
    const who = await later(10);
    const list = async (status: string) =>
      (await at.ask("GET", `${EXEMPTIONS}?status=${status}`, undefined, who)).json.items.map(
        (each: { id: string }) => each.id,
      );
    for (const round of ["before the tick", "after it"]) {
      expect((await at.ask("GET", `${EXEMPTIONS}/${exemption.id}`, undefined, who)).json.status, round).toBe("expired");
      expect([await list("approved"), await list("expired")]).toEqual([[], [exemption.id]]);
      await world.controlPlane.tick();
    }
    const revoked = await at.ask("PATCH", `${EXEMPTIONS}/${exemption.id}/revoke`, { reason: REASON }, who);
    expect(revoked).toMatchObject({ status: 409, json: { code: "invalid_transition", current: "expired" } });
  });

  it("lapses undecided once its end has passed, alone and in lists, and nobody decides about it any more", async () => {
    const finding = await at.found();
    const scope = { fingerprint: finding.fingerprint };
    const { id } = await at.requested({ scope, expiresAt: at.inDays(2) });
    const other = await at.requested({ scope, expiresAt: at.inDays(4) });
    const who = await later(2);
    const before = (await eventTypes(world.a)).length;
    const list = async (status: string) =>
      (await at.ask("GET", `${EXEMPTIONS}?findingId=${finding.id}&status=${status}`, undefined, who)).json.items.map(
        (each: { id: string }) => each.id,
      );
    for (const round of ["before the tick", "after it"]) {
      expect((await at.ask("GET", `${EXEMPTIONS}/${id}`, undefined, who)).json.status, round).toBe("lapsed");
      expect([await list("requested"), await list("lapsed")]).toEqual([[other.id], [id]]);
      expect(await at.approve(id, who)).toMatchObject({
        status: 409,
        json: { code: "invalid_transition", current: "lapsed" },
      });
      for (const action of ["approve_exemption", "reject_exemption"]) {
        const decided = await at.review(finding.id, { action, reason: REASON, exemptionId: id }, who);
        expect([decided.status, decided.json.code], `${action} ${round}`).toEqual([409, "invalid_transition"]);
      }
      await world.controlPlane.tick();
    }
    const reported = (await eventTypes(world.a, before)).filter((type) => type === "exemption.status.changed");
    expect(reported).toHaveLength(1);
  });

  it("is not meant by a decision that names none, while another one waits", async () => {
    const { id, fingerprint } = await at.found();
    await at.requested({ scope: { fingerprint }, expiresAt: at.inDays(2) });
    const other = await at.requested({ scope: { fingerprint }, expiresAt: at.inDays(4) });
    const who = await later(2);
    const rejected = await at.review(id, { action: "reject_exemption", reason: REASON }, who);
    expect([rejected.status, rejected.json.payload]).toEqual([201, { exemptionId: other.id }]);
  });

  it("is nothing that an action could still count on", async () => {
    const { finding } = await exemptedGate();
    const who = await later(10);
    const answer = await at.review(finding.id, { action: "acknowledge" }, who);
    expect(answer.json).toMatchObject({ before: "open", after: "acknowledged" });
    await world.controlPlane.tick();
    expect((await at.read(finding.id, who)).status).toBe("acknowledged");
  });

  it("leaves others in their place, page by page and by cursor", async () => {
    const assetId = await world.a.newAsset();
    const of = { policyId: "pol_paging" };
    const made: Finding[] = [];
    for (let index = 0; index < 7; index += 1) {
      made.push(await at.found(of, assetId));
      world.clock.advance(1);
    }
    const ending = [1, 4].map((index) => made[index] as Finding);
    for (const { fingerprint } of ending) await at.approved({ scope: { fingerprint }, expiresAt: at.inDays(0.25) });
    const list = async (query: string) => (await at.ask("GET", `${FINDINGS}?policyId=pol_paging&${query}`)).json;
    expect((await list("status=open")).totalItems).toBe(5);
    world.clock.advance(DAY / 4);
    const wanted = made.map(({ id }) => id).reverse();
    const paged = [];
    for (let page = 0; page < 4; page += 1) paged.push(...(await list(`status=open&size=2&page=${page}`)).items);
    expect(paged.map(({ id }) => id)).toEqual(wanted);
    const walked = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: { items: Finding[]; nextCursor: string | null; totalItems: number } = await list(
        `status=open&size=3${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      expect(page.totalItems).toBe(7);
      walked.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(walked.map(({ id }) => id)).toEqual(wanted);
    expect((await list("status=exempted")).items).toEqual([]);
  });
});

describe("an exemption that begins later", () => {
  it("exempts on every path from its start on", async () => {
    const { assetId, finding, exemption, path } = await exemptedGate();
    await at.revoke(exemption.id);
    const scope = { fingerprint: finding.fingerprint };
    await at.approved({ scope, startsAt: at.inDays(1), expiresAt: at.inDays(5) });
    const who = await later(1);
    expect(await everyPath({ assetId, finding, exemption, path }, who)).toEqual(EXEMPTED);
  });
});

describe("exemptions that end soon", () => {
  const DASHBOARD = "/api/v1/ai-governance/dashboard/summary";
  const ending = async (who: Actor) => (await at.ask("GET", DASHBOARD, undefined, who)).json.exemptions.ending;

  it("are all counted, however many there are, until their end and from thirty days before it", async () => {
    world.clock.set(`${now().slice(0, 10)}T23:00:00.000Z`);
    const today = await later(0);
    const { exemption } = await exemptedGate();
    const store = world.store.forTenant(world.a.tenantId);
    let made = 0;
    const copies = (count: number, more: Partial<Exemption>) =>
      Array.from({ length: count }, () => {
        made += 1;
        return { ...exemption, ...more, version: 1, id: `exm_1${String(made).padStart(25, "0")}` };
      });
    // One hour of the day is left, so the last day that counts ends in 30 days and one hour.
    const [soon, last] = [at.inDays(0.5 / 24), at.inDays(30 + 0.99 / 24)];
    await store.insertMany(exemptions, copies(1_000, { expiresAt: soon }));
    await store.insertMany(exemptions, copies(30, { expiresAt: soon }));
    await store.insertMany(exemptions, copies(20, { expiresAt: last }));
    await store.insertMany(exemptions, copies(10, { expiresAt: at.inDays(30 + 1 / 24) }));
    await store.insertMany(exemptions, copies(10, { expiresAt: soon, status: "requested" }));
    await store.insertMany(exemptions, copies(10, { expiresAt: last, status: "revoked" }));
    expect(await ending(today)).toBe(1_000 + 30 + 20 + 1);
    world.clock.set(soon);
    expect(await ending(today)).toBe(20 + 1);
    expect(await ending(world.b.owner)).toBe(0);
    await world.controlPlane.tick();
    expect(await ending(today)).toBe(20 + 1);
    expect(await ending(await later(1))).toBe(20 + 10 + 1);
  });
});

describe("a tick", () => {
  it("announces the end of an exemption 14 and 3 days before, each once, and writes its expiry down once", async () => {
    await exemptedGate(20);
    const types: string[][] = [];
    for (const days of [5, 1, 1, 9, 1, 3, 1]) {
      world.clock.advance(days * DAY);
      const before = (await eventTypes(world.a)).length;
      await world.controlPlane.tick();
      await world.controlPlane.tick();
      const added = await eventTypes(world.a, before);
      types.push(added.filter((type) => /^(exemption|finding)\./.test(type)).sort());
    }
    const expiring = ["exemption.expiring"];
    const expired = ["exemption.status.changed", "finding.updated"];
    // Days 5, 6, 7, 16, 17, 20 and 21.
    expect(types).toEqual([[], expiring, [], [], expiring, expired, []]);
  });

  it("that comes late announces an end once", async () => {
    await exemptedGate(20);
    world.clock.advance(19 * DAY);
    const before = (await eventTypes(world.a)).length;
    await world.controlPlane.tick();
    const added = await eventTypes(world.a, before);
    expect(added.filter((type) => type === "exemption.expiring")).toHaveLength(1);
  });

  it("tells of a due date that has passed once in an episode, and readers see it before", async () => {
    const { id } = await at.found({ severity: "critical" });
    const who = await later(7);
    expect(await at.read(id, who)).toMatchObject({ status: "open", slaBreached: true, slaBreachedAt: now() });
    const before = (await eventTypes(world.a)).length;
    for (let ticks = 0; ticks < 3; ticks += 1) {
      await world.controlPlane.tick();
      world.clock.advance(DAY / 8);
    }
    const breaches = (await eventTypes(world.a, before)).filter((type) => type === "finding.sla_breached");
    expect(breaches).toHaveLength(1);
    expect(await at.review(id, { action: "acknowledge" }, who)).toMatchObject({ status: 201 });
    expect((await eventTypes(world.a, before)).filter((type) => type === "finding.sla_breached")).toHaveLength(1);
  });

  it("tells of a breach before which nobody ticked, also when the finding is exempted then", async () => {
    const { id, fingerprint } = await at.found({ severity: "critical" });
    const asked = await at.requested({ scope: { fingerprint } });
    const who = await later(8);
    const before = (await eventTypes(world.a)).length;
    expect((await at.approve(asked.id, who)).status).toBe(200);
    expect(await at.read(id, who)).toMatchObject({ status: "exempted", slaBreachedAt: expect.any(String) });
    const breaches = (await eventTypes(world.a, before)).filter((type) => type === "finding.sla_breached");
    expect(breaches).toHaveLength(1);
  });

  it("tells of a breach that somebody's action comes upon first", async () => {
    const { id } = await at.found({ severity: "critical" });
    const who = await later(8);
    const before = (await eventTypes(world.a)).length;
    await at.review(id, { action: "acknowledge" }, who);
    await world.controlPlane.tick();
    const breaches = (await eventTypes(world.a, before)).filter((type) => type === "finding.sla_breached");
    expect(breaches).toHaveLength(1);
  });
});

describe("an exemption by a selector that reads the time", () => {
  it("exempts no longer what has outgrown it, although nothing else has changed", async () => {
    const policyKey = world.a.unique().toLowerCase();
    const policyId = await world.a.newPolicy("posture", {
      key: policyKey,
      status: "observe",
      selector: { expression: 'asset.provider == "tested"' },
      rules: [{ key: "holds", assert: "asset.hasTeam", message: "No team." }],
      tests: [{ name: "elsewhere", input: { asset: { provider: "another" } }, expect: "skip" }],
    });
    await world.a.newAsset({ provider: "tested" });
    const run = async (who?: Actor) => {
      const answer = await at.ask("POST", "/api/v1/ai-governance/evaluations/run", {}, who);
      expect(answer.status).toBe(201);
    };
    const statuses = async (who?: Actor) =>
      (await at.ask("GET", `${FINDINGS}?policyId=${policyId}`, undefined, who)).json.items.map(
        ({ status }: Finding) => status,
      );
    await run();
    const scope = { policyKey, selector: { expression: "asset.ageDays < 3" } };
    const { id } = await at.requested({ scope, expiresAt: at.inDays(60) }, world.a.actors.governance_officer);
    expect((await at.approve(id)).json.status).toBe("approved");
    await run();
    expect(await statuses()).toEqual(["exempted"]);
    const who = await later(4);
    await run(who);
    expect(await statuses(who)).toEqual(["open"]);
  });
});
