import { assets } from "#families/estate/index.js";
import { type Finding, type Severity, touchFinding } from "#families/findings/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { isSame } from "#kernel/records/is-same.js";
import { selectorFaults } from "../../policies/compile/selectors.js";
import { type Policy, policies } from "../../policies/schema.js";
import type { ExemptionFields, Scope } from "../fields.js";
import { periodOf } from "../rules.js";
import { type Exemption, exemptions } from "../schema.js";
import { findingWith, matchedIn, type Reach, reachOf } from "./reach.js";

/** A request for an exemption, with the generic members of its body. */
export interface ExemptionRequest {
  readonly fields: Partial<ExemptionFields>;
  readonly name?: string | undefined;
  readonly reason: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** What a request needs before its transaction. */
export interface Prepared {
  readonly reach: Reach;
  readonly renewed: Exemption | undefined;
}

/** Reads what a request refers to, without a transaction. 400 when that does not exist. */
export async function prepareRequest(ctx: ReadContext, { fields }: ExemptionRequest, own?: Scope): Promise<Prepared> {
  const renewed = await renewedBy(ctx, fields.renewalOf);
  const scope = fields.scope ?? own ?? renewed?.scope;
  if (!scope) throw invalidProperty("/scope", "Say which findings it is about.");
  if (renewed && !isSame(scope, renewed.scope))
    throw invalidProperty("/scope", "A renewal has the scope of what it renews.");
  if ("selector" in scope) {
    requirePermission(ctx.env, ctx.principal, "ai-exemption:broad");
    const errors = selectorFaults(ctx.env, scope.selector).map((fault) => ({
      ...fault,
      pointer: `/scope${fault.pointer}`,
    }));
    if (errors.length > 0) throw new ReeveError("invalid_request", "The selector has faults.", { errors });
  }
  const policyId = await policyOf(ctx, scope);
  return { reach: await reachOf(ctx, { policyId, scope }), renewed };
}

/** Stores a request, which a four-eyes approver has to approve. */
export async function requestExemption(
  ctx: Context,
  { fields, name, reason, metadata = {}, attributes = {} }: ExemptionRequest,
  { reach, renewed }: Prepared,
): Promise<Exemption> {
  const { scope } = reach;
  // The caller's roles may have changed since the preparation.
  if ("selector" in scope) requirePermission(ctx.env, ctx.principal, "ai-exemption:broad");
  const finding = "fingerprint" in scope ? await findingWith(ctx, scope.fingerprint) : undefined;
  // Since the preparation, the policy may have been deleted, or another may have taken over the finding.
  const policyId = finding?.policyId ?? reach.policyId;
  if (!finding && !(await ctx.db.get(policies, policyId))) throw missing("policyKey", "policy");
  if (renewed && renewed.policyId !== policyId)
    throw invalidProperty("/renewalOf", "It was about a policy that was deleted; ask for a new exemption.");
  const maxSeverity = fields.maxSeverity ?? renewed?.maxSeverity ?? mostOf(finding);
  const boundEvidenceDigest =
    fields.boundEvidenceDigest === undefined ? (renewed?.boundEvidenceDigest ?? null) : fields.boundEvidenceDigest;
  if (boundEvidenceDigest && !finding)
    throw invalidProperty("/boundEvidenceDigest", "Only an exemption of one finding can be bound to its evidence.");
  if (finding) await touchFinding(ctx, finding.id);
  const { id, version, ...marks } = ctx.stamp(exemptions);
  return ctx.insert(exemptions, {
    id,
    name: name ?? nameOf(`Exemption from ${subjectOf(scope, finding)}`),
    status: "requested",
    version,
    metadata: { ...metadata },
    ...marks,
    category: fields.category ?? renewed?.category ?? "waiver",
    scope,
    maxSeverity,
    boundEvidenceDigest,
    compensatingControls: fields.compensatingControls ?? renewed?.compensatingControls ?? "",
    ticketRef: fields.ticketRef ?? null,
    ...periodOf(fields, maxSeverity, ctx.now),
    renewalOf: renewed?.id ?? null,
    reason: requireReason(reason),
    policyId,
    findingId: finding?.id ?? null,
    onAssetId: finding?.assetId ?? ("assetId" in scope ? scope.assetId : null),
    matchedFindings: await matchedIn(ctx.db, { ...reach, policyId }),
    requestedBy: ctx.principal.userId,
    requestedAt: ctx.now,
    approvedBy: null,
    approvedAt: null,
    relatedParty: false,
    revokedBy: null,
    revokedAt: null,
    revokedReason: null,
    notices: 0,
    attributes: { ...attributes },
  });
}

/** The exemption to renew. 400 unless it was approved. */
export async function renewedBy(ctx: ReadContext, id: string | null | undefined): Promise<Exemption | undefined> {
  if (id === undefined || id === null) return undefined;
  const row = await ctx.db.get(exemptions, id);
  if (!row) throw invalidProperty("/renewalOf", "There is no such exemption.", "invalid_reference");
  // An expired row stays `approved` until a tick stores its end. Either can be renewed.
  if (row.value.status === "approved" || row.value.status === "expired") return row.value;
  throw invalidProperty("/renewalOf", "Only an exemption that was approved, or has expired, can be renewed.");
}

/** The id of the policy of a scope. 400 `invalid_reference` when that does not exist. */
async function policyOf(ctx: ReadContext, scope: Scope): Promise<string> {
  if ("fingerprint" in scope) {
    const finding = await findingWith(ctx, scope.fingerprint);
    if (!finding) throw missing("fingerprint", "finding");
    if (finding.policyId === null)
      throw invalidProperty("/scope/fingerprint", "No policy has found it.", "invalid_reference");
    const byPolicy = finding.closedReason?.startsWith("policy_") ?? false;
    if (byPolicy && !(await ctx.db.get(policies, finding.policyId)))
      throw invalidProperty("/scope/fingerprint", "The policy that found it was deleted.", "invalid_reference");
    return finding.policyId;
  }
  const policy = await ctx.db.lookup(policies, "key", { key: scope.policyKey });
  if (!policy) throw missing("policyKey", "policy");
  requireRules(policy.value, scope.ruleKeys);
  if ("assetId" in scope && !(await ctx.db.get(assets, scope.assetId))) throw missing("assetId", "asset");
  return policy.id;
}

/** 400 for a rule that the policy does not have. */
function requireRules({ rules }: Policy, ruleKeys: readonly string[]): void {
  const known = new Set(rules.map(({ key }) => key));
  const at = ruleKeys.findIndex((key) => !known.has(key));
  if (at >= 0) throw missing(`ruleKeys/${at}`, "rule of the policy");
}

const missing = (name: string, what: string) =>
  invalidProperty(`/scope/${name}`, `There is no such ${what}.`, "invalid_reference");

const mostOf = (finding: Finding | undefined): Severity => finding?.effectiveSeverity ?? "high";

function subjectOf(scope: Scope, finding: Finding | undefined): string {
  return finding?.title ?? ("policyKey" in scope ? scope.policyKey : "a finding");
}
