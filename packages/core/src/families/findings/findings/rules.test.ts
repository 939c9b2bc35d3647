import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { daysMs } from "#ports/durations.js";
import {
  type Circumstances,
  closedBecause,
  type Detected,
  type Exemption,
  type Finding,
  findingAt,
  fingerprintOf,
  gravest,
  notSeen,
  opened,
  SEVERITIES,
  type Severity,
  seenAbsent,
  seenAgain,
  verbOf,
} from "../index.js";
import { raisedBy } from "./finding-terms.js";

const START = Date.parse("2026-01-05T09:00:00.000Z");
const day = (days: number) => new Date(START + daysMs(days)).toISOString();
const slaDays = { critical: 7, high: 30, medium: 90, low: 180, info: null } as const;
const at = (days: number, exemptions: readonly Exemption[] = []): Circumstances => ({
  now: day(days),
  slaDays,
  exemptions,
});
const digest = (text: string) => text.padEnd(64, "0");

const detected = (more: Partial<Detected> = {}): Detected => ({
  policyId: "pol_1",
  policyKey: "no-shadow",
  policyRevision: 1,
  ruleKey: "registered",
  assetId: "ast_1",
  assetName: "Bot",
  locus: "",
  severity: "high",
  gate: true,
  category: "inventory",
  title: "No shadow",
  message: "Bot is a shadow.",
  remediation: "Register it.",
  controls: ["nist-ai-rmf-1.0:GOVERN 1.6"],
  evidence: { snapshotDigest: digest("s"), digest: digest("e"), values: { "asset.ageDays": 20 } },
  production: false,
  highRisk: false,
  ...more,
});
const evidenceOf = (text: string) => ({ ...detected().evidence, digest: digest(text) });
const stamp = {
  id: "fnd_1",
  version: 1,
  createdAt: day(0),
  createdBy: "system",
  updatedAt: day(0),
  updatedBy: "system",
};
const fresh = (more: Partial<Detected> = {}, circumstances = at(0)) => opened(stamp, detected(more), circumstances);
const exemption = (more: Partial<Exemption> = {}): Exemption => ({
  id: "exm_1",
  policyId: "pol_1",
  status: "approved",
  startsAt: day(0),
  expiresAt: day(30),
  scope: { fingerprint: fingerprintOf(detected()) },
  maxSeverity: "critical",
  boundEvidenceDigest: null,
  ...more,
});
const dismissed = (finding: Finding): Finding => {
  const { evidence } = finding;
  const dismissal = {
    reasonCode: "false_positive" as const,
    reason: "known to be harmless",
    by: "usr_1",
    at: day(0),
    confirmedBy: null,
    evidenceDigest: evidence.digest,
    severity: gravest(finding),
  };
  return findingAt({ ...finding, workflow: "dismissed", dismissal }, day(0));
};
const again = (before: Finding, more: Partial<Detected> = {}, circumstances = at(1)) => {
  const { next, verb } = seenAgain(before, detected(more), circumstances);
  return { finding: { ...before, ...next }, next, verb };
};

describe("the status of a finding", () => {
  const workflows = ["new", "acknowledged", "in_progress", "fix_claimed", "dismissed"] as const;
  const open = { new: "open", acknowledged: "acknowledged", in_progress: "in_progress", fix_claimed: "fix_claimed" };
  const rows = (["present", "absent", "unknown", "closed"] as const).flatMap((detection) =>
    workflows.flatMap((workflow) =>
      (["none", "active", "expired", "scheduled", "too mild", "of other evidence"] as const).map(
        (cover) => [detection, workflow, cover] as const,
      ),
    ),
  );
  const covers = {
    none: [],
    active: [exemption()],
    expired: [exemption({ expiresAt: day(1) })],
    scheduled: [exemption({ startsAt: day(2) })],
    "too mild": [exemption({ maxSeverity: "medium" })],
    "of other evidence": [exemption({ boundEvidenceDigest: digest("other") })],
  };

  it.each(rows)("for what is %s, of workflow %s and an exemption that is %s", (detection, workflow, cover) => {
    const base = fresh({}, at(0, covers[cover]));
    const worked = workflow === "dismissed" ? dismissed(base) : findingAt({ ...base, workflow }, day(0));
    const before = { ...worked, status: worked.status };
    const patch =
      detection === "absent"
        ? seenAbsent(before, at(1))
        : detection === "unknown"
          ? notSeen(before, at(1))
          : detection === "closed"
            ? closedBecause(before, "policy_disabled", at(1))
            : {};
    const finding = findingAt({ ...before, ...patch }, day(1));
    const exempted = cover === "active" && workflow !== "dismissed";
    const standing = workflow === "dismissed" ? "dismissed" : exempted ? "exempted" : open[workflow];
    const expected = { present: standing, unknown: standing, absent: "resolved", closed: "closed" }[detection];
    expect(finding.status).toBe(expected);
    expect(finding.exemptionId).toBe(expected === "exempted" ? "exm_1" : null);
    expect(finding.stale).toBe(detection === "unknown");
    if (detection === "absent") expect(finding.verifiedFix).toBe(workflow === "fix_claimed");
  });

  it("is that of the moment: an exemption begins and ends without anybody writing it down", () => {
    const finding = fresh({}, at(0, [exemption({ startsAt: day(2), expiresAt: day(5) })]));
    expect([0, 1.99, 2, 4.99, 5, 9].map((days) => findingAt(finding, day(days)).status)).toEqual([
      "open",
      "open",
      "exempted",
      "exempted",
      "open",
      "open",
    ]);
    expect(finding.nextChangeAt).toBe(day(2));
    expect(findingAt(finding, day(2)).nextChangeAt).toBe(day(5));
  });

  it("stays exempted where another exemption goes on", () => {
    const finding = fresh({}, at(0, [exemption({ expiresAt: day(5) }), exemption({ id: "exm_2", startsAt: day(4) })]));
    expect(findingAt(finding, day(4.5))).toMatchObject({ status: "exempted", exemptionId: "exm_2" });
    expect(findingAt(finding, day(6))).toMatchObject({ status: "exempted", exemptionId: "exm_2" });
    expect(findingAt(finding, day(30)).status).toBe("open");
  });
});

describe("an evaluation that finds the same once more", () => {
  it("changes nothing but when and how often", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SEVERITIES),
        fc.boolean(),
        fc.string(),
        fc.boolean(),
        fc.constantFrom(...(["new", "acknowledged", "in_progress", "dismissed"] as const)),
        (severity, production, locus, covered, workflow) => {
          const more = { severity, production, highRisk: true, locus };
          const scope = { fingerprint: fingerprintOf(detected(more)) };
          const exemptions = covered ? [exemption({ scope })] : [];
          const found = fresh(more, at(0, exemptions));
          const before = workflow === "dismissed" ? dismissed(found) : findingAt({ ...found, workflow }, day(0));
          const { next, verb } = again(before, more, at(1, exemptions));
          expect(verb).toBe("touched");
          expect(next).toEqual({ lastSeenAt: day(1), occurrences: 2 });
        },
      ),
    );
  });

  it("G6 takes back a claim of a fix, even under an exemption", () => {
    for (const exemptions of [[], [exemption({ scope: { fingerprint: fingerprintOf(detected()) } })]]) {
      const before = findingAt({ ...fresh({}, at(0, exemptions)), workflow: "fix_claimed" }, day(0));
      const { finding, verb } = again(before, {}, at(1, exemptions));
      expect(verb).toBe("refuted");
      expect(finding).toMatchObject({ workflow: "new", refutedFixes: 1, episodeCount: 1, dueAt: before.dueAt });
    }
  });

  it("tells what is new about it, and keeps what people have done", () => {
    const before = findingAt({ ...fresh(), workflow: "in_progress", ticketRef: "T-1" }, day(0));
    const { finding, verb } = again(before, { message: "Bot is still a shadow.", severity: "low" });
    expect(verb).toBe("updated");
    expect(finding).toMatchObject({
      status: "in_progress",
      ticketRef: "T-1",
      dueAt: day(180),
      effectiveSeverity: "low",
    });
  });

  it("makes it graver where the asset is of high risk and in production", () => {
    for (const severity of SEVERITIES) {
      const raised = fresh({ severity, production: true, highRisk: true });
      expect(raised.effectiveSeverity).toBe(raisedBy(severity, true));
      expect(fresh({ severity, production: true }).effectiveSeverity).toBe(severity);
      expect(raised.severity).toBe(severity);
    }
    expect(fresh({ severity: "critical", production: true, highRisk: true }).effectiveSeverity).toBe("critical");
  });
});

describe("a finding that comes back", () => {
  const involved = { ids: ["usr_1"], beyond: 0 };
  const resolved = () => {
    const before = findingAt({ ...fresh(), workflow: "fix_claimed", involved }, day(0));
    return { ...before, ...seenAbsent(before, at(10)) };
  };

  it("opens a new episode with a new due date and nothing done about it", () => {
    expect(resolved()).toMatchObject({ status: "resolved", resolvedAt: day(10), verifiedFix: true });
    const { finding, verb } = again(resolved(), {}, at(20));
    expect(verb).toBe("reopened");
    expect(finding).toMatchObject({
      status: "open",
      workflow: "new",
      resolvedAt: null,
      regressed: true,
      regressionCount: 1,
      verifiedFix: false,
      involved: { ids: [], beyond: 0 },
      firstSeenAt: day(0),
      dueAt: day(50),
      episodeCount: 2,
      episodes: [
        { openedAt: day(0), resolvedAt: day(10) },
        { openedAt: day(20), resolvedAt: null },
      ],
    });
  });

  it("keeps the last fifty episodes and counts them all", () => {
    let finding = fresh();
    for (let days = 1; days <= 70; days += 1) {
      finding = { ...finding, ...seenAbsent(finding, at(days)) };
      finding = again(finding, {}, at(days + 0.5)).finding;
    }
    expect(finding.episodes).toHaveLength(50);
    expect(finding).toMatchObject({ episodeCount: 71, regressionCount: 70 });
    expect(finding.episodes.at(-1)).toEqual({ openedAt: day(70.5), resolvedAt: null });
  });

  it("is as resolved as before where it is not found twice", () => {
    expect(seenAbsent(resolved(), at(11))).toEqual({});
  });

  it("stays resolved, and is stale, where an evaluation fails", () => {
    const before = resolved();
    expect(notSeen(before, at(11))).toEqual({ detection: "unknown", stale: true, staleSince: day(11) });
    expect({ ...before, ...notSeen(before, at(11)) }.status).toBe("resolved");
  });

  it("is not stale any more once nobody looks after it", () => {
    const failed = { ...fresh(), ...notSeen(fresh(), at(1)) };
    const closed = { ...failed, ...closedBecause(failed, "policy_disabled", at(2)) };
    expect(closed).toMatchObject({ status: "closed", stale: false, staleSince: null });
  });

  it("after it was closed is reopened, which is no regression", () => {
    const before = fresh();
    const closed = { ...before, ...closedBecause(before, "asset_deleted", at(1)) };
    expect(closed).toMatchObject({ status: "closed", closedReason: "asset_deleted", nextChangeAt: null });
    expect(closedBecause(closed, "asset_deleted", at(2))).toEqual({});
    const { finding, verb } = again(closed, {}, at(3));
    expect([verb, finding.status, finding.regressionCount, finding.episodeCount]).toEqual(["reopened", "open", 0, 2]);
  });

  describe("while nobody looked, and is there when somebody does again", () => {
    const worked = () => {
      const involved = { ids: ["usr_1"], beyond: 0 };
      return findingAt({ ...fresh(), workflow: "in_progress", involved }, day(40));
    };

    it.each(["out_of_scope", "policy_disabled", "asset_retired"] as const)(
      "%s: the episode goes on with all that is kept of it",
      (why) => {
        const before = worked();
        expect(before.slaBreachedAt).toBe(before.dueAt);
        const closed = { ...before, ...closedBecause(before, why, at(41)) };
        expect(closed.episodes).toMatchObject([{ openedAt: day(0), resolvedAt: day(41) }]);
        const { finding, verb } = again(closed, {}, at(71));
        expect([verb, finding.status, finding.slaBreached]).toEqual(["reopened", "in_progress", true]);
        expect(finding).toMatchObject({
          ...{ episodes: [{ openedAt: day(0), resolvedAt: null }], episodeCount: 1, involved: before.involved },
          ...{ dueAt: before.dueAt, slaBreachedAt: before.slaBreachedAt, closedReason: null },
        });
      },
    );

    it("is late at once where it came due meanwhile, and a fix that was claimed is refuted", () => {
      const before = findingAt({ ...fresh(), workflow: "fix_claimed" }, day(1));
      const closed = { ...before, ...closedBecause(before, "out_of_scope", at(20)) };
      expect(again(closed, {}, at(45)).finding).toMatchObject({
        ...{ status: "open", refutedFixes: 1, episodeCount: 1 },
        ...{ dueAt: before.dueAt, slaBreached: true, slaBreachedAt: before.dueAt },
      });
    });

    it("begins anew after a month, by another policy, and where it had been resolved", () => {
      const before = worked();
      const closed = { ...before, ...closedBecause(before, "out_of_scope", at(41)) };
      const gone = { ...before, ...seenAbsent(before, at(40)) };
      const resolved = { ...gone, ...closedBecause(gone, "out_of_scope", at(41)) };
      const deleted = { ...before, ...closedBecause(before, "asset_deleted", at(41)) };
      for (const { finding } of [
        again(deleted, {}, at(42)),
        again(closed, {}, at(71.1)),
        again(closed, { policyId: "pol_2" }, at(42)),
        again(resolved, {}, at(42)),
      ])
        expect(finding).toMatchObject({ episodeCount: 2, slaBreachedAt: null, involved: { ids: [] } });
    });
  });
});

describe("a dismissal", () => {
  const weight = (severity: Severity) => SEVERITIES.indexOf(severity);

  it("holds while evidence and severity are what they were, and is voided by others", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SEVERITIES),
        fc.constantFrom(...SEVERITIES),
        fc.boolean(),
        fc.boolean(),
        (severity, later, sameEvidence, resolvedBetween) => {
          let before = dismissed(fresh({ severity }));
          if (resolvedBetween) before = { ...before, ...seenAbsent(before, at(0.5)) };
          const more = { severity: later, evidence: evidenceOf(sameEvidence ? "e" : "other") };
          const { finding, verb } = again(before, more);
          const holds = sameEvidence && weight(later) <= weight(severity);
          expect(finding.status).toBe(holds ? "dismissed" : "open");
          expect(finding.workflow).toBe(holds ? "dismissed" : "new");
          expect(finding.dismissal === null).toBe(!holds);
          if (!holds) expect(verb).toBe(resolvedBetween ? "reopened" : "voided");
        },
      ),
    );
  });

  it("under a lowered severity is voided with it when evaluations find it graver, and by nothing less", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SEVERITIES),
        fc.constantFrom(...SEVERITIES),
        fc.constantFrom(...SEVERITIES),
        (severity, value, later) => {
          const severityOverride = { value, by: "usr_1", reason: "known", at: day(0) };
          const before = dismissed(findingAt({ ...fresh({ severity }), severityOverride }, day(0)));
          const { finding, verb } = again(before, { severity: later });
          const voids = weight(later) > weight(severity) && weight(later) > weight(value);
          expect(finding.severityOverride).toEqual(voids ? null : severityOverride);
          expect(finding.effectiveSeverity).toBe(voids ? later : value);
          expect(finding.status).toBe(voids ? "open" : "dismissed");
          if (voids) expect(verb).toBe("voided");
        },
      ),
    );
  });

  it("that waits for a four-eyes approver is forgotten with what it was asked for", () => {
    const { dismissal } = dismissed(fresh());
    const before = { ...fresh(), dismissalRequest: dismissal };
    expect(again(before).finding.dismissalRequest).toEqual(dismissal);
    expect(again(before, { severity: "critical" }).finding.dismissalRequest).toBeNull();
    expect(again(before, { evidence: evidenceOf("other") }).finding.dismissalRequest).toBeNull();
  });

  it("and what else is asked for ends with its finding", () => {
    const { dismissal } = dismissed(fresh());
    const severityRequest = { value: "low", by: "usr_1", reason: "known", at: day(0) } as const;
    const before = { ...fresh(), dismissalRequest: dismissal, severityRequest };
    for (const end of [seenAbsent(before, at(1)), closedBecause(before, "policy_disabled", at(1))])
      expect({ ...before, ...end }).toMatchObject({ dismissalRequest: null, severityRequest: null });
  });
});

describe("an exemption", () => {
  it("is voided by evidence it is not bound to and by a severity beyond its own", () => {
    const bound = [exemption({ boundEvidenceDigest: digest("e"), maxSeverity: "high" })];
    const before = fresh({}, at(0, bound));
    expect(before.status).toBe("exempted");
    expect(again(before, {}, at(1, bound))).toMatchObject({ verb: "touched", finding: { status: "exempted" } });
    for (const more of [{ evidence: evidenceOf("other") }, { severity: "critical" as const }])
      expect(again(before, more, at(1, bound))).toMatchObject({ verb: "voided", finding: { status: "open" } });
  });

  it("of one policy covers nothing that another of the same key has found, nor what that one takes over", () => {
    const scopes = [
      exemption().scope,
      { policyKey: "no-shadow", ruleKeys: [], assetId: "ast_1" },
      { policyKey: "no-shadow", ruleKeys: [], selector: {} },
    ];
    for (const scope of scopes) {
      const all = at(0, [exemption({ scope, selected: new Set(["ast_1"]) })]);
      const before = fresh({}, all);
      expect(before.status).toBe("exempted");
      expect(again(before, {}, all).finding.status).toBe("exempted");
      expect(again(before, { policyId: "pol_2" }, all).finding).toMatchObject({ status: "open", covers: [] });
      expect(fresh({ policyId: "pol_2" }, all)).toMatchObject({ status: "open", covers: [] });
    }
  });

  it("that has run out is no voiding", () => {
    const ended = [exemption({ expiresAt: day(1) })];
    const { finding, verb } = again(fresh({}, at(0, ended)), {}, at(1, ended));
    expect([verb, finding.status, finding.covers]).toEqual(["updated", "open", []]);
  });
});

describe("a due date", () => {
  it("follows from severity and start, and passes once in an episode", () => {
    expect(SEVERITIES.map((severity) => fresh({ severity }).dueAt)).toEqual([null, day(180), day(90), day(30), day(7)]);
    const late = findingAt(fresh(), day(30));
    expect(late).toMatchObject({ slaBreached: true, slaBreachedAt: day(30), nextChangeAt: null });
    expect(findingAt(fresh(), day(29.99))).toMatchObject({
      slaBreached: false,
      slaBreachedAt: null,
      nextChangeAt: day(30),
    });
    const resolved = { ...late, ...seenAbsent(late, at(31)) };
    expect(resolved).toMatchObject({ slaBreached: false, slaBreachedAt: day(30) });
    expect(again(resolved, {}, at(32)).finding).toMatchObject({ slaBreached: false, slaBreachedAt: null });
  });

  it("does not pass while an exemption holds", () => {
    const finding = fresh({}, at(0, [exemption({ expiresAt: day(40) })]));
    expect(findingAt(finding, day(35))).toMatchObject({ status: "exempted", slaBreached: false });
    expect(findingAt(finding, day(40))).toMatchObject({ status: "open", slaBreached: true });
  });
});

describe("a fingerprint", () => {
  it("depends on policy key, rule key, asset and locus, and on nothing else", () => {
    const base = fingerprintOf(detected());
    expect(base).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprintOf(detected({ message: "x", severity: "low", policyRevision: 9, policyId: "y" }))).toBe(base);
    const others = [{ policyKey: "x" }, { ruleKey: "x" }, { assetId: "x" }, { locus: "x" }];
    expect(new Set([base, ...others.map((more) => fingerprintOf(detected(more)))]).size).toBe(5);
    // A literal, so that a change of the formula fails. A new formula would detect every stored finding as new.
    expect(base).toBe("b18af7565106c1a66dec4c237cc9fa88c70393fef69fd9fd3ad8a152feaa5088");
  });
});

describe("what became of a finding", () => {
  it("is reopened where somebody takes a dismissal back, and resolved and closed once", () => {
    const before = dismissed(fresh());
    expect(verbOf(before, findingAt({ ...before, workflow: "new", dismissal: null }, day(1)), day(1))).toBe("reopened");
    const resolved = { ...before, ...seenAbsent(before, at(1)) };
    expect(verbOf(before, resolved, day(1))).toBe("resolved");
    expect(verbOf(resolved, { ...resolved, ...seenAbsent(resolved, at(2)) }, day(2))).toBe("touched");
  });
});
