import type { Finding } from "#families/findings/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { approveExemption, rejectExemption } from "../../exemptions/decide-exemption.js";
import { reachOf } from "../../exemptions/request/reach.js";
import { renewedBy, requestExemption } from "../../exemptions/request/request.js";
import { type Exemption, exemptions } from "../../exemptions/schema.js";
import type { ReviewRequest } from "./body.js";

/** The most requests of one finding that are looked at. Those whose end has passed wait for a tick among them. */
const MOST_PENDING = 100;

/** The actions on an exemption of the finding. Each returns the exemption. */
export const PERFORM_ON_EXEMPTION = {
  async request_exemption(ctx: Context, finding: Finding, { fields, reason, name }: ReviewRequest): Promise<Exemption> {
    const {
      action: _action,
      assignee: _assignee,
      comment: _comment,
      reasonCode: _code,
      severity: _severity,
      ...given
    } = fields;
    const { exemptionId: _exemption, ...own } = given;
    const reach = { policyId: exemptable(finding), scope: { fingerprint: finding.fingerprint } };
    if (own.renewalOf) await requireOf(ctx, finding, own.renewalOf, "/renewalOf");
    const renewed = await renewedBy(ctx, own.renewalOf);
    return requestExemption(ctx, { fields: own, name, reason }, { reach, renewed });
  },
  async approve_exemption(ctx: Context, finding: Finding, request: ReviewRequest): Promise<Exemption> {
    const pending = await pendingOn(ctx, finding, request.fields.exemptionId);
    return approveExemption(ctx, pending, await reachOf(ctx, pending), request.reason);
  },
  async reject_exemption(ctx: Context, finding: Finding, request: ReviewRequest): Promise<Exemption> {
    return rejectExemption(ctx, await pendingOn(ctx, finding, request.fields.exemptionId), request.reason);
  },
} as const;

/** The policy of a finding. 409 where none found it: what it tells of ends it, and nobody is exempted from that. */
function exemptable({ policyId }: Finding): string {
  if (policyId !== null) return policyId;
  throw new ReeveError("transition_guard_failed", "No policy has found it, so nobody is exempted from one.");
}

/** The named request, or the only pending one. */
async function pendingOn(ctx: Context, finding: Finding, id: string | undefined): Promise<Exemption> {
  if (id !== undefined) return requireOf(ctx, finding, id, "/exemptionId");
  const { rows } = await ctx.db.find(exemptions, { where: { pendingOn: finding.id }, size: MOST_PENDING });
  const pending = rows.map((row) => ctx.derived(exemptions, row)).filter(({ status }) => status === "requested");
  const [only, other] = pending;
  if (only && !other) return only;
  if (other) throw invalidProperty("/exemptionId", "Several are asked for; say which is meant.");
  const detail = "No exemption is asked for here.";
  throw new ReeveError("transition_guard_failed", detail, {
    members: { guards: [{ key: "pendingExemption", ok: false, detail }] },
  });
}

/** The exemption with this id. 400 unless it is of this finding. */
async function requireOf(ctx: Context, finding: Finding, id: string, pointer: string): Promise<Exemption> {
  const row = await ctx.db.get(exemptions, id);
  if (row?.value.findingId === finding.id) return ctx.current(exemptions, row);
  throw invalidProperty(pointer, "There is no such exemption of this finding.", "invalid_reference");
}
