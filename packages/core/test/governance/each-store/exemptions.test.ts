import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { countFindingsBy, type Finding, findings, fingerprintOf, matching } from "#families/findings/index.js";
import { MOST_MATCHED } from "#families/governance/exemptions/rules.js";
import { exemptionsOver } from "#families/governance/index.js";
import { snapshotsOf } from "#families/governance/snapshots/take/snapshots.js";
import { ReadContext } from "#kernel/operation/read-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { environmentOf } from "../../helpers/environment.js";
import { EXEMPTIONS, findingsOf, REASON } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let at: ReturnType<typeof findingsOf>;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  at = findingsOf(world);
});

const request = (body: object, who = world.a.actors.operator) =>
  at.ask("POST", EXEMPTIONS, { reason: REASON, ...body }, who);

/** A policy with three findings: two on one asset by two rules, one on another asset. */
async function policyWithFindings() {
  const body = world.a.policyBody("posture");
  const rules = ["one", "two", "many"].map((key) => ({ key, assert: 'asset.name != ""', message: key }));
  const policy = { ...body, rules };
  const policyId = (await at.ask("POST", "/api/v1/ai-governance/policies", policy)).json.id;
  const of = { policyId, policyKey: policy.key };
  const [here, there] = [await world.a.newAsset(), await world.a.newAsset({ environment: "production" })];
  return {
    ...of,
    here,
    there,
    first: await at.found({ ...of, ruleKey: "one" }, here),
    second: await at.found({ ...of, ruleKey: "two" }, here),
    third: await at.found({ ...of, ruleKey: "one" }, there),
  };
}
const statusOf = async (...list: { readonly id: string }[]) => {
  const statuses: string[] = [];
  for (const { id } of list) statuses.push((await at.read(id)).status);
  return statuses;
};

describe("a request for an exemption", () => {
  it("ends after 90 days, or 30 where it may exempt what is critical, and bounds the severity by the finding's", async () => {
    const scopeOf = async (severity: "high" | "critical") => ({
      scope: { fingerprint: (await at.found({ severity })).fingerprint },
    });
    expect((await request(await scopeOf("high"))).json).toMatchObject({
      status: "requested",
      maxSeverity: "high",
      expiresAt: at.inDays(90),
      startsAt: at.inDays(0),
      category: "waiver",
    });
    expect((await request(await scopeOf("critical"))).json).toMatchObject({
      maxSeverity: "critical",
      expiresAt: at.inDays(30),
    });
  });

  it.each([
    ["without a scope", {}, "/scope"],
    ["of two scopes", { scope: { fingerprint: "0".repeat(64), policyKey: "x", assetId: "y" } }, "/scope"],
    ["of a finding that is not there", { scope: { fingerprint: "0".repeat(64) } }, "/scope/fingerprint"],
    ["of a policy that is not there", { scope: { policyKey: "x", assetId: "y" } }, "/scope/policyKey"],
    ["that renews nothing", { renewalOf: "exm_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" }, "/renewalOf"],
    ["with an unknown setting", { configuration: { colour: "red" } }, "/configuration/colour"],
  ])("%s is refused with its place", async (_what, body, pointer) => {
    expect(await request(body)).toMatchObject({ status: 400, json: { errors: [{ pointer }] } });
  });

  it.each([
    ["beyond a year", { days: 366 }, "/expiresAt"],
    ["in the past", { days: -1 }, "/expiresAt"],
    ["beyond 30 days for what is critical", { days: 31, maxSeverity: "critical" }, "/expiresAt"],
    ["before its start", { days: 5, start: 6 }, "/expiresAt"],
    ["far ahead", { days: 400, start: 390 }, "/startsAt"],
  ])("that ends %s is refused", async (_what, { days, start, ...more }: { days: number; start?: number }, pointer) => {
    const scope = { fingerprint: (await at.found()).fingerprint };
    const startsAt = start === undefined ? {} : { startsAt: at.inDays(start) };
    const answer = await request({ scope, expiresAt: at.inDays(days), ...startsAt, ...more });
    expect(answer).toMatchObject({ status: 400, json: { errors: [{ pointer }] } });
  });

  it("needs a reason, and is no more than a request", async () => {
    const scope = { fingerprint: (await at.found()).fingerprint };
    expect(await request({ scope, reason: "short" })).toMatchObject({ status: 400, json: { code: "missing_reason" } });
    expect(await request({ scope, status: "approved" })).toMatchObject({
      status: 409,
      json: { code: "invalid_transition" },
    });
    const asset = await world.b.newAsset();
    const { policyKey } = await policyWithFindings();
    expect(await request({ scope: { policyKey, assetId: asset } })).toMatchObject({
      status: 400,
      json: { code: "invalid_reference", errors: [{ pointer: "/scope/assetId" }] },
    });
  });

  it("by selector tells how many findings it takes in, and is for those who may ask for so much", async () => {
    const { policyKey } = await policyWithFindings();
    const scope = { policyKey, selector: { environments: ["production"] } };
    expect(await request({ scope })).toMatchObject({ status: 403, json: { permission: "ai-exemption:broad" } });
    const { governance_officer: officer, approver } = world.a.actors;
    const asked = await request({ scope }, officer);
    expect(asked.json).toMatchObject({ matchedFindings: 1, onAssetId: null });
    expect(await at.approve(asked.json.id, approver)).toMatchObject({ status: 403 });
    const faulty = { policyKey, selector: { expression: "asset.nmae == 'x'" } };
    expect(await request({ scope: faulty }, officer)).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: "/scope/selector/expression", code: "unknown_name" }] },
    });
  });
});

describe("an exemption", () => {
  it("by selector is not approved by the owner of an asset that it takes in, found on or not", async () => {
    const { policyKey } = await policyWithFindings();
    const { governance_officer: officer, admin } = world.a.actors;
    const provider = world.a.unique();
    const owner = { type: "user", id: admin.userId };
    const own = await world.a.newAsset({ provider, owner });
    const ask = async () => {
      const scope = { policyKey, selector: { expression: `asset.provider == "${provider}"` } };
      const { id, matchedFindings } = await at.requested({ scope }, officer);
      expect(matchedFindings).toBe(0);
      return id;
    };
    const mine = { status: 403, json: { code: "self_approval_forbidden" } };
    expect(await at.approve(await ask(), admin)).toMatchObject(mine);
    expect((await at.approve(await ask())).status).toBe(200);
    await at.ask("PUT", `/api/v1/ai-assets/${own}`, { provider: "another" });
    expect((await at.approve(await ask(), admin)).status).toBe(200);
  });

  it("is approved by somebody else than who asks for it, and exempts from then on", async () => {
    const finding = await at.found({ severity: "high", gate: true });
    const { governance_officer: officer } = world.a.actors;
    const { id } = await at.requested({ scope: { fingerprint: finding.fingerprint } }, officer);
    const own = await at.approve(id, officer);
    expect(own).toMatchObject({ status: 403, json: { code: "self_approval_forbidden" } });
    expect(await statusOf(finding)).toEqual(["open"]);
    expect((await at.approve(id)).json.status).toBe("approved");
    expect(await at.read(finding.id)).toMatchObject({ status: "exempted", exemptionId: id });
    const again = await at.approve(id, undefined, { status: "approved" });
    expect(again).toMatchObject({ status: 200, json: { version: 2 } });
    expect(await at.ask("PATCH", `${EXEMPTIONS}/${id}/reject`, { reason: REASON })).toMatchObject({ status: 409 });
    expect((await at.revoke(id)).json).toMatchObject({ status: "revoked", revokedReason: REASON });
    expect(await at.read(finding.id)).toMatchObject({ status: "open", exemptionId: null, covers: [] });
  });

  it("of a policy on an asset takes in that asset and those rules alone", async () => {
    const { policyKey, here, first, second, third } = await policyWithFindings();
    const { id, matchedFindings } = await at.approved({ scope: { policyKey, ruleKeys: ["one"], assetId: here } });
    expect(matchedFindings).toBe(1);
    expect(await statusOf(first, second, third)).toEqual(["exempted", "open", "open"]);
    await at.revoke(id);
    expect(await statusOf(first, second, third)).toEqual(["open", "open", "open"]);
  });

  it("by selector takes in the assets of which its expression holds", async () => {
    const { policyKey, first, second, third } = await policyWithFindings();
    const selector = { expression: 'asset.environment == "production" && asset.hasOwner' };
    const { id } = await at.approved({ scope: { policyKey, selector } }, world.a.actors.governance_officer);
    expect(await statusOf(first, second, third)).toEqual(["open", "open", "exempted"]);
    await at.revoke(id);
    expect(await statusOf(third)).toEqual(["open"]);
  });

  it("by selector takes in what it matched when it was approved, and nothing that has moved into it since or is new", async () => {
    const { policyKey } = await policyWithFindings();
    const { governance_officer: officer, admin } = world.a.actors;
    const provider = world.a.unique();
    const asset = (more: object) => world.a.newAsset({ provider: "another", ...more });
    const inside = await asset({ provider });
    const mover = await asset({ owner: { type: "user", id: admin.userId } });
    const scope = { policyKey, selector: { expression: `asset.provider == "${provider}"` } };
    const { id } = await at.requested({ scope }, officer);
    expect((await at.approve(id, admin)).json.status).toBe("approved");
    const change = (one: string, body: object) =>
      world.send("PUT", `/api/v1/ai-assets/${one}`, { token: admin.token, body, headers: { "if-match": "*" } });
    const added = await asset({ provider });
    await change(mover, { provider });
    await change(inside, { provider, purpose: "another" });
    const env = environmentOf(world);
    const taken = async () => {
      const ctx = systemContext(env, world.a.tenantId, "test");
      const found = await exemptionsOver(ctx, await snapshotsOf(ctx, [inside, mover, added]));
      return found.filter((one) => one.id === id).map(({ selected }) => [...(selected ?? [])]);
    };
    expect(await taken()).toEqual([[inside]]);
    // Out of it and in again is still as of the decision; another decision takes in what is there by then.
    await change(inside, { provider: "elsewhere" });
    expect(await taken()).toEqual([[]]);
    await change(inside, { provider });
    expect(await taken()).toEqual([[inside]]);
  });

  it("that is revoked leaves exempted what another one covers", async () => {
    const { policyKey, here, first, second } = await policyWithFindings();
    const wide = await at.approved({ scope: { policyKey, assetId: here } });
    const narrow = await at.approved({ scope: { fingerprint: first.fingerprint } });
    await at.revoke(wide.id);
    expect(await statusOf(first, second)).toEqual(["exempted", "open"]);
    expect((await at.read(first.id)).exemptionId).toBe(narrow.id);
    await at.revoke(narrow.id);
    expect(await statusOf(first)).toEqual(["open"]);
  });

  it("exempts nothing that is graver than it says, nor other evidence than it is bound to", async () => {
    const finding = await at.found({ severity: "high" });
    const scope = { fingerprint: finding.fingerprint };
    await at.approved({ scope, maxSeverity: "medium" });
    await at.approved({ scope, boundEvidenceDigest: "0".repeat(64) });
    expect(await statusOf(finding)).toEqual(["open"]);
    await at.approved({ scope, boundEvidenceDigest: finding.evidence.digest });
    expect(await statusOf(finding)).toEqual(["exempted"]);
    await at.review(finding.id, { action: "override_severity", severity: "critical", reason: REASON });
    expect(await statusOf(finding)).toEqual(["open"]);
  });

  it("that begins later exempts later", async () => {
    const finding = await at.found();
    await at.approved({ scope: { fingerprint: finding.fingerprint }, startsAt: at.inDays(0.25) });
    expect(await at.read(finding.id)).toMatchObject({ status: "open", nextChangeAt: at.inDays(0.25) });
  });

  it("is renewed with the evidence that it is bound to, unless the renewal says otherwise", async () => {
    const { fingerprint, evidence } = await at.found();
    const old = await at.approved({ scope: { fingerprint }, boundEvidenceDigest: evidence.digest });
    const renewal = await at.requested({ renewalOf: old.id, expiresAt: at.inDays(60) });
    expect(renewal).toMatchObject({ boundEvidenceDigest: evidence.digest });
    await at.approve(renewal.id);
    const wider = { renewalOf: renewal.id, boundEvidenceDigest: null, expiresAt: at.inDays(60) };
    expect(await at.requested(wider)).toMatchObject({ boundEvidenceDigest: null });
  });

  it("is renewed by another request, which takes its place once it is approved", async () => {
    const finding = await at.found();
    const old = await at.approved({ scope: { fingerprint: finding.fingerprint }, expiresAt: at.inDays(10) });
    const other = { scope: { fingerprint: (await at.found()).fingerprint }, renewalOf: old.id };
    expect(await request(other)).toMatchObject({ status: 400, json: { errors: [{ pointer: "/scope" }] } });
    const renewal = await at.requested({ renewalOf: old.id, expiresAt: at.inDays(60) });
    expect(renewal).toMatchObject({ scope: old.scope, status: "requested", renewalOf: old.id });
    expect((await at.ask("GET", `${EXEMPTIONS}/${old.id}`)).json.status).toBe("approved");
    await at.approve(renewal.id);
    expect((await at.ask("GET", `${EXEMPTIONS}/${old.id}`)).json).toMatchObject({
      status: "superseded",
      expiresAt: old.expiresAt,
    });
    expect((await at.read(finding.id)).covers.map(({ exemptionId }) => exemptionId)).toEqual([renewal.id]);
    expect(await request({ renewalOf: old.id })).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: "/renewalOf" }] },
    });
  });

  it("is taken back by who asked for it, or by who may ask and decide", async () => {
    const scope = { fingerprint: (await at.found()).fingerprint };
    const { id } = await at.requested({ scope }, world.a.owner);
    const take = (token: string) => world.send("PATCH", `${EXEMPTIONS}/${id}/withdraw`, { token, body: {} });
    const stranger = await take(world.a.actors.operator.token);
    expect(stranger).toMatchObject({ status: 403, json: { code: "permission_denied" } });
    expect((await take(world.a.owner.token)).json.status).toBe("withdrawn");
  });

  it("is not granted as the twenty-first on a finding, where it would count for nothing", async () => {
    const scope = { fingerprint: (await at.found()).fingerprint };
    for (let given = 0; given < 20; given += 1) await at.approved({ scope });
    const one = await at.requested({ scope });
    expect(await at.approve(one.id, world.a.actors.approver, { reason: REASON })).toMatchObject({
      status: 409,
      json: { code: "transition_guard_failed", guards: [{ key: "fewEnough", ok: false }] },
    });
    expect((await at.ask("GET", `${EXEMPTIONS}/${one.id}`)).json.status).toBe("requested");
  });

  it("that was asked for can be taken back or rejected, and is listed by what became of it", async () => {
    const scope = { fingerprint: (await at.found()).fingerprint };
    const [taken, refused] = [await at.requested({ scope }), await at.requested({ scope })];
    const notes = await at.ask("PATCH", `${EXEMPTIONS}/${taken.id}/withdraw`, { metadata: { ticket: "T-1" } });
    expect(notes, "nothing would keep them").toMatchObject({
      status: 400,
      json: { errors: [{ pointer: "/metadata" }] },
    });
    expect((await at.ask("PATCH", `${EXEMPTIONS}/${taken.id}/withdraw`, {})).json.status).toBe("withdrawn");
    expect((await at.ask("PATCH", `${EXEMPTIONS}/${refused.id}/reject`, { reason: REASON })).json.status).toBe(
      "rejected",
    );
    expect((await at.approve(refused.id)).status).toBe(409);
    const listed = (await at.ask("GET", `${EXEMPTIONS}?status=rejected&findingId=${refused.findingId}`)).json;
    expect(listed.items.map(({ id }: { id: string }) => id)).toEqual([refused.id]);
    expect((await at.ask("GET", EXEMPTIONS, undefined, world.b.owner)).json.totalItems).toBe(1);
  });
});

describe("an exemption that takes in many findings", () => {
  it("is refused beyond 5,000, and up to there covers and uncovers all of them with one decision", async () => {
    const { policyKey, policyId } = await policyWithFindings();
    const assetId = await world.a.newAsset();
    const first = await at.found({ policyKey, policyId, ruleKey: "many" }, assetId);
    const many = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => copyOf(first, from + index));
    const store = world.store.forTenant(world.a.tenantId);
    for (let from = 1; from < MOST_MATCHED; from += 1_000)
      await store.insertMany(findings, many(from, Math.min(from + 1_000, MOST_MATCHED)));
    const scope = { policyKey, ruleKeys: ["many"], assetId };
    const { id, matchedFindings } = await at.requested({ scope });
    const exempted = async () =>
      (await countFindingsBy(store, "standing", at.inDays(0))).get(`${policyKey}/many:exempted`);
    expect(matchedFindings).toBe(MOST_MATCHED);
    expect((await at.approve(id)).status).toBe(200);
    expect(await exempted()).toBe(MOST_MATCHED);
    await store.insertMany(findings, many(MOST_MATCHED, MOST_MATCHED + 1));
    const tooMany = { status: 409, json: { guards: [{ key: "fewEnough", ok: false }] } };
    expect(await request({ scope })).toMatchObject(tooMany);
    expect((await at.revoke(id)).json.status).toBe("revoked");
    expect((await exempted()) ?? 0).toBe(0);
  });
});

/** The same finding at another locus. */
function copyOf(finding: Finding, index: number): Finding {
  const locus = `place ${index}`;
  const id = `fnd_1${String(index).padStart(25, "0")}`;
  return { ...finding, id, locus, fingerprint: fingerprintOf({ ...finding, locus }) };
}

describe("exemptions over some assets", () => {
  it("are those in force on them, and those by selector with the assets they take in", async () => {
    const { policyKey, here, there, first, second, third } = await policyWithFindings();
    const officer = world.a.actors.governance_officer;
    const onFinding = await at.approved({ scope: { fingerprint: first.fingerprint } });
    const onAsset = await at.approved({ scope: { policyKey, assetId: there } });
    const selector = { environments: ["production"], expression: "asset.hasOwner" };
    const wide = await at.approved({ scope: { policyKey, selector } }, officer);
    await at.requested({ scope: { policyKey, assetId: here } });
    const over = async (tenantId: string, ids: readonly string[]) => {
      const request = { requestId: "req_x", nowMs: world.clock.now(), mountPath: "" };
      const ctx = new ReadContext(environmentOf(world), request, undefined, world.store.forTenant(tenantId));
      return exemptionsOver(ctx, await snapshotsOf(ctx, ids));
    };
    const found = await over(world.a.tenantId, [here, there]);
    const idsFor = (finding: typeof first) =>
      matching(found, finding)
        .map(({ id }) => id)
        .sort();
    expect(idsFor(first)).toEqual([onFinding.id]);
    expect(idsFor(second)).toEqual([]);
    expect(idsFor(third)).toEqual([onAsset.id, wide.id].sort());
    expect(await over(world.b.tenantId, [here, there])).toEqual([]);
  });
});
