import { ConnectorError, type VerifyResult } from "#connectors/index.js";
import {
  type AccessAssignment,
  accessAssignments,
  believed,
  contradict,
  holdingOf,
  noteHidden,
  noteShown,
  reconciliationOf,
  TARGET_STATES,
  Unknown,
} from "#families/access-grants/index.js";
import { connectorCalls, FAILURE } from "#families/connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { isUnsettled, noteLook } from "../drift/evaluate-drift.js";

/** What the target says of an assignment. */
export const AccessVerification = z
  .object({
    presence: z
      .enum(["present", "absent", "mismatch", "unknown"])
      .meta({ description: "What the target has; `unknown` when it could not be asked, or does not tell." }),
    authoritative: z.boolean().meta({ description: "The target itself was asked, and not a copy that lags behind." }),
    failure: z.object(FAILURE).nullable().meta({ description: "Why it could not be asked." }),
    assignmentId: z.string().meta({ description: "Id of the access assignment." }),
    targetState: z.enum(TARGET_STATES).meta({ description: "What is known now." }),
    unknown: Unknown.nullable().meta({ description: "Why that is not known; `null` when it is." }),
    driftId: z.string().nullable().meta({ description: "The difference that this shows." }),
  })
  .meta({ id: "AccessVerification" });

/** What a look at the target has brought. */
export type Look =
  | { readonly presence: VerifyResult["presence"]; readonly authoritative: boolean; readonly failure: null }
  | { readonly presence: "unknown"; readonly authoritative: false; readonly failure: Failure };
type Failure = { readonly errorClass: string; readonly code: string | null; readonly message: string };

/** Asks the target for an assignment, with no transaction open. It changes nothing there. */
export async function lookAt(ctx: ReadContext, one: AccessAssignment): Promise<Look> {
  const { grantKey, resource, profileExternalId, parameters, connectorInstanceId: instanceId } = one;
  const { displayName: _name, ...principal } = one.principal;
  const expiresAt = one.expiresAt === null ? null : new Date(Date.parse(one.expiresAt));
  const spec = { grantKey, resource, profileExternalId, principal, parameters, expiresAt };
  const facts = { correlationId: ctx.request.requestId, idempotencyKey: ctx.request.requestId };
  const call = { tenantId: ctx.principal.tenantId, instanceId, capability: "verify", ...facts } as const;
  try {
    const seen = await ctx.env
      .use(connectorCalls)
      .call(call, (on, to) => on.verify?.(to, spec) as Promise<VerifyResult>);
    const reconciliation = await reconciliationOf(ctx, grantKey);
    const presence = reconciliation ? await believed(ctx, reconciliation, seen.presence) : seen.presence;
    return { presence, authoritative: seen.authoritative, failure: null };
  } catch (error) {
    if (!ConnectorError.is(error)) throw error;
    const { errorClass, code = null, message } = error;
    return { presence: "unknown", authoritative: false, failure: { errorClass, code, message } };
  }
}

/** Stores what was seen, and the difference that it shows. A target that could not be asked changes nothing. */
export async function recordLook(
  ctx: Context,
  id: string,
  look: Look,
): Promise<{ readonly one: AccessAssignment; readonly driftId: string | null }> {
  const one = await ctx.getForUpdate(accessAssignments, id);
  if (look.failure !== null) return { one, driftId: null };
  const reconciliation = await reconciliationOf(ctx, one.grantKey);
  if (look.presence === "unknown" && reconciliation && isUnsettled(reconciliation, look, ctx.now))
    return { one, driftId: null };
  const isHeld = holdingOf(one) !== null;
  if (reconciliation && look.presence === "present") await noteShown(ctx, reconciliation, "verify");
  if (reconciliation && isHeld && look.presence === "unknown") await noteHidden(ctx, reconciliation, "verify");
  const seen = {
    targetState: look.presence,
    unseenSince: look.presence === "unknown" ? (one.unseenSince ?? ctx.now) : null,
    observedAt: ctx.now,
    observedBy: "verify",
    lastVerifiedAt: ctx.now,
  } as const;
  const { presence, authoritative } = look;
  const event = { type: "access.assignment.verified", data: { presence, authoritative } };
  const before = await ctx.getOrThrow(accessAssignments, id);
  const stored = await ctx.update(accessAssignments, before, seen, { event, stamp: false, involves: false });
  const reported = presence === "absent" || presence === "unknown" ? stored : await contradict(ctx, stored);
  return { one: reported, driftId: await noteLook(ctx, reported, { presence, authoritative }) };
}
