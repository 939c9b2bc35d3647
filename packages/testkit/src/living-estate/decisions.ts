import { known, type Registered } from "./assets.js";
import type { Acting, Staff } from "./people.js";

const APPROVED = [
  ...[
    "Claims triage account",
    "Broker assistant account",
    "Code assistant account",
    "Code assistant",
    "Claims letter prompt",
  ],
  ...["Larch 4 Large", "Larch 4 Small", "Quill Code", "Heron Embeddings", "Damage photo classifier"],
  ...[
    "Document store",
    "Payments",
    "Claims triage",
    "Claims letters",
    "Broker assistant",
    "Call summary",
    "Night batch",
  ],
];
const WAITING = ["Risk questionnaire", "Portal helper", "Fraud hints"];
const IN_PRODUCTION = ["Claims letters", "Broker assistant", "Call summary", "Document store", "Larch 4 Large"];

const assetOf = ({ assetIds }: Registered, name: string) => `/api/v1/ai-assets/${known(assetIds, name)}`;

const govern = (by: Acting, at: string, status: string, more: object = {}) =>
  by.do("PATCH", `${at}/governance-state`, { status, ...more });

/** Has assets reviewed: most are approved, one under a condition, one is rejected, and some wait. */
export async function reviewAssets({ operator, officer, approver }: Staff, made: Registered): Promise<void> {
  for (const name of APPROVED) {
    const at = assetOf(made, name);
    await govern(operator, at, "under_review", { reason: "It is to be used by customers." });
    await govern(approver, at, "approved", { reason: "Its purpose and its data are clear." });
  }
  const summariser = assetOf(made, "Old summariser");
  await govern(operator, summariser, "under_review");
  await govern(officer, summariser, "rejected", { reason: "Its provider retires it." });
  const tariffs = assetOf(made, "Public tariffs");
  await govern(operator, tariffs, "under_review");
  const conditions = [{ key: "yearly", text: "Tariffs are checked once a year." }];
  await govern(officer, tariffs, "conditionally_approved", { configuration: { conditions } });
}

/** Takes what is approved into production, before there are policies. */
export async function promoteAssets({ operator }: Staff, made: Registered): Promise<void> {
  for (const name of IN_PRODUCTION) {
    for (const status of ["validation", "production"])
      await operator.do("PATCH", `${assetOf(made, name)}/lifecycle`, { status, reason: "It has been tried." });
  }
}

/** One agent is suspended, and some others wait for their review. */
export async function moveAssets({ officer, builder }: Staff, made: Registered): Promise<void> {
  await govern(officer, assetOf(made, "Night batch"), "suspended", { reason: "It paid one claim twice." });
  for (const name of WAITING)
    await govern(builder, assetOf(made, name), "under_review", { reason: "It is wanted before the new tariffs." });
}

/** Enforces some policies of the pack, whose evaluation opens findings; one exemption and one change wait. */
export async function enforcePolicies(staff: Staff): Promise<void> {
  const { officer, admin, operator, approver } = staff;
  await officer.do("POST", "/api/v1/ai-governance/policy-packs/foundation/install");
  const { items: policies } = await officer.do("GET", "/api/v1/ai-governance/policies?size=100");
  for (const { id } of policies.slice(0, 6))
    await admin.do("PUT", `/api/v1/ai-governance/policies/${id}`, { status: "active", reason: "It is agreed." });
  await operator.do("POST", "/api/v1/ai-governance/evaluations/run", { name: "First look" });
  const { items: findings } = await operator.do("GET", "/api/v1/ai-governance/findings?size=100");
  const [first, second] = findings;
  if (!first || !second) throw new Error("the policies found too little");
  await approver.do("POST", `/api/v1/ai-governance/findings/${first.id}/review-actions`, { action: "acknowledge" });
  await operator.do("POST", "/api/v1/ai-governance/exemptions", {
    scope: { fingerprint: second.fingerprint },
    reason: "The supplier mends it with its next release.",
  });
}

/** A rule for single actions, and one that waits for a decision. */
export async function askForAction({ officer, admin, operator }: Staff, made: Registered): Promise<void> {
  const rule = { key: "large", effect: "require_approval", if: 'action.name == "release_payment"' };
  const policy = await officer.do("POST", "/api/v1/ai-governance/policies", {
    ...{ kind: "runtime", key: "payments-by-people", name: "Payments are released by people" },
    rules: [{ ...rule, message: "A person looks at each payment." }],
    tests: [{ name: "a payment", input: { action: { name: "release_payment" } }, expect: "require_approval" }],
  });
  await admin.do("PUT", `/api/v1/ai-governance/policies/${policy.id}`, { status: "active", reason: "It is agreed." });
  const { status, context } = await operator.do("POST", "/api/v1/ai/policies/evaluate", {
    subject: { type: "agent", id: known(made.assetIds, "Claims letters") },
    action: { name: "release_payment", properties: { number: "P-2041", amount: "1,240.00 EUR" } },
    resource: { type: "payment", id: "P-2041" },
  });
  if (status !== "require_approval") throw new Error(JSON.stringify(context));
}
