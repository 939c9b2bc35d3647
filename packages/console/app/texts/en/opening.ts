const number = new Intl.NumberFormat("en");
const plural = (count: number, one: string, many: string) => `${number.format(count)} ${count === 1 ? one : many}`;

/** What approving does, and what goes on without it. */
interface Outcome {
  readonly approved: string;
  readonly otherwise: string;
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  asset_review: {
    approved: "Approved, it may go to production, once nothing else holds it back.",
    otherwise: "Refused, it may not be used. Until a decision it stays as it is now.",
  },
  condition: {
    approved: "Said to be met, the condition warns of the asset no more.",
    otherwise: "Left open, it warns of the asset, and denies its use fourteen days after its date.",
  },
  tool_review: {
    approved: "Approved, agents may call the tool with exactly what it says now.",
    otherwise: "Blocked, no agent may call it.",
  },
  mcp_manifest: {
    approved: "Approved, agents may call what the server offers now.",
    otherwise: "Left as it is, what is new or changed stays out of use.",
  },
  finding_dismissal: {
    approved: "Confirmed, the finding counts no more.",
    otherwise: "Left as it is, the finding stays open.",
  },
  finding_severity: {
    approved: "Confirmed, the finding counts with the severity that is asked for.",
    otherwise: "Left as it is, it keeps the severity that its rule gives it.",
  },
  exemption: {
    approved: "Approved, what it covers holds nothing back until it ends.",
    otherwise: "Refused, its findings stay open and hold back what they hold back now.",
  },
  action_approval: {
    approved: "Approved, this one action may be done once, by who asked.",
    otherwise: "Refused or lapsed, it stays denied.",
  },
  assessment: {
    approved: "Approved, the assessment holds for the asset as it was assessed.",
    otherwise: "Returned, it is a draft again.",
  },
  attestation: {
    approved: "Attested, the control counts as met.",
    otherwise: "Returned, it is worked on again and counts as before.",
  },
  halt_lift: {
    approved: "Lifted, what was halted runs again.",
    otherwise: "Left as it is, it stays halted.",
  },
  policy_change: {
    approved: "Confirmed, the change is in force at once.",
    otherwise: "Declined, the policy stays as it is.",
  },
  erasure: {
    approved: "Approved, the data of these events is erased for good; their hashes stay.",
    otherwise: "Declined, nothing is erased.",
  },
  access_request: {
    approved: "Approved by all who are asked, the access is given.",
    otherwise: "Refused, it is not given.",
  },
  certification: {
    approved: "What you keep stays as it is.",
    otherwise: "What you revoke is taken away once the campaign ends.",
  },
  certification_confirmation: {
    approved: "Confirmed, the access is revoked.",
    otherwise: "Kept, nothing is revoked.",
  },
  access_drift: {
    approved: "Accepted, the difference is let be until the day that you name.",
    otherwise: "Repaired, the target is made to agree with what was granted.",
  },
  stop_reason: {
    approved: "With the reason the question is closed.",
    otherwise: "What was stopped stays stopped either way.",
  },
};

/** The first lines of a review, in plain words. */
export const opening = {
  title: "In short",
  asks: "asks for this,",
  found: "It follows from what was found,",
  because: "Reason:",
  noReason: "No reason was given.",
  reasonUnknown: "Why is not known any more: the event of the request was erased or pruned.",
  about: "It is about",
  hidden: "It is about an asset that you may not see.",
  gone: "It is about an asset that is not there any more.",
  uses: "What it uses, and what it stands or falls with:",
  usesNothing: "It uses nothing that is registered.",
  usesMore: "There is more than is listed.",
  relations: {
    outgoing: {
      ...{ uses: "uses", exposes: "offers", runs_as: "runs as", hosted_on: "is hosted on" },
      ...{ derived_from: "is derived from", delegates_to: "delegates to" },
    },
    incoming: {
      ...{ uses: "is used by", exposes: "is offered by", runs_as: "acts for", hosted_on: "hosts" },
      ...{ derived_from: "is the origin of", delegates_to: "is delegated to by" },
    },
  },
  findings: (open: string) => `Open findings: ${open}.`,
  noFindings: "It has no open findings.",
  notEvaluated: "No policy has evaluated it yet.",
  now: { allow: "Now it may be used.", warn: "Now it may be used, with a warning.", deny: "Now it may not be used." },
  once: {
    allow: "Approved without conditions, it may be used.",
    warn: "Approved without conditions, it may be used, with a warning.",
    deny: "Even approved it may not be used.",
  },
  stops: (count: number, isAll: boolean) =>
    `${isAll ? "" : "At least "}${plural(count, "asset", "assets")} may not be used while it may not.`,
  never: "It was never approved.",
  notKnown: "Whether it was approved before, and what has changed since, is not known: events were erased or pruned.",
  approvedAt: "Last approved",
  by: "by",
  unchanged: "Nothing has changed since.",
  changed: (fields: string) => `Changed since: ${fields}.`,
  hiddenChanges: (kinds: string) => `Changes of its ${kinds} are left out: you may not see them.`,
  outcome: (kind: string): Outcome => OUTCOMES[kind] ?? { approved: "", otherwise: "" },
  says: {
    condition: (text: string) => `The condition: ${text}`,
    tool: (origin: string, effects: string) => `A tool of origin ${origin}; what it does: ${effects}.`,
    manifest: (count: number, severity: string) =>
      `${plural(count, "difference", "differences")} from what was approved, the gravest ${severity}.`,
    firstManifest: (count: number) =>
      `Nothing of it was approved before; it offers ${plural(count, "thing", "things")}.`,
    halt: (scope: string) => `What is halted: ${scope}.`,
    haltScopes: { all_agents: "all agents", team: "a team", mcp_server: "an MCP server" },
    haltReason: (reason: string) => `It was halted because: ${reason}`,
    finding: (message: string) => `The finding: ${message}`,
    dismissal: (severity: string, code: string) => `Of severity ${severity}; it is to be dismissed as ${code}.`,
    severity: (before: string, after: string) => `Its severity is to be ${after} in place of ${before}.`,
    exemption: (category: string, matched: number, until: string) =>
      `As ${category}, for ${plural(matched, "finding", "findings")} at present, until ${until}.`,
    action: (name: string, resource: string) => `The action ${name} on ${resource}, once.`,
    assessment: (questionnaire: string, risk: string) => `The ${questionnaire} assessment; remaining risk: ${risk}.`,
    attestation: (control: string, framework: string, evidence: number) =>
      `The control ${control} of ${framework}, with ${plural(evidence, "piece", "pieces")} of evidence.`,
    policyChange: (fields: string) => `What it changes: ${fields}.`,
    policyStatus: (status: string) => `It is to be ${status}.`,
    erasure: (subject: string) => `The events of ${subject}.`,
    erasureOf: (count: number) => `${plural(count, "event", "events")}.`,
    access: (items: string) => `Access to ${items}.`,
    accessUntil: (until: string) => `It would end at ${until}.`,
    accessForever: "It would have no end.",
    accessFor: (duration: string) => `It would last ${duration} from when it is given.`,
    certification: (items: number) => `${plural(items, "access", "accesses")} to be looked at.`,
    confirmation: (revokes: number, silent: number) =>
      `${plural(revokes, "access", "accesses")} would be revoked, ${number.format(silent)} of them because nobody has answered.`,
    drift: (principal: string, resource: string) => `${principal} on ${resource}.`,
    stop: (act: string) => `You stopped it: ${act}.`,
    none: "none named",
    unknown: "unknown",
  },
  mentions: {
    ...{
      policy: "Policy",
      agent: "Acts as",
      subject: "For",
      target: "Halted",
      identity: "Acts as",
      events: "Events of",
    },
    ...{ asset: "Asset" },
  },
  changes: {
    title: "What has changed",
    since: "Since",
    baselines: { approval: "its last approval", decision: "my last decision", seen: "I looked last" },
    none: "Nothing differs from then.",
    never: {
      approval: "It was never approved.",
      decision: "You have not decided about it before.",
      seen: "You look at it for the first time.",
    },
    unknown: "It is not known: events were erased or pruned.",
    at: "Compared with",
    ofRecord: (type: string, field: string) => `${field} (${type.replace(/^ai_/, "").replaceAll("_", " ")})`,
  },
};
