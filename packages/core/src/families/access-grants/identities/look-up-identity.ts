import { ConnectorError, PRINCIPAL_TYPES } from "#connectors/index.js";
import type { AccessPrincipal, PrincipalLookUp } from "#families/access/index.js";
import { connectorCalls, instances } from "#families/connectors/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { nearest } from "./nearest-identity.js";

/** Candidates that are compared, and those that an answer names. */
const [COMPARED, NAMED] = [200, 5];
const POINTER = "/principal/externalId";

const There = z.object({
  type: z.enum(PRINCIPAL_TYPES),
  externalId: z.string().min(1).max(500),
  displayName: z.string().min(1).max(200).optional().catch(undefined),
});
type There = z.output<typeof There>;

const Reported = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("found"), principal: There }),
  z.object({ outcome: z.enum(["absent", "ambiguous"]), candidates: z.array(z.unknown()) }),
  z.object({ outcome: z.literal("unknown") }),
]);

/** A principal as it is stored, and what the target has said of it. */
export interface LookedUp {
  readonly principal: AccessPrincipal;
  readonly lookUp: PrincipalLookUp;
}

/**
 * Asks the target for a principal by its id or name, with no transaction open. 422 `principal_not_found` when it says
 * that there is none; where it cannot tell, the principal is taken as it was named, and that is `unknown`.
 */
export async function lookUp(
  ctx: ReadContext,
  connectorInstanceId: string,
  principal: AccessPrincipal,
): Promise<LookedUp> {
  const unknown = (reason: NonNullable<PrincipalLookUp["reason"]>): LookedUp => ({
    principal,
    lookUp: { outcome: "unknown", reason, at: ctx.now },
  });
  const target = await ctx.db.get(instances, connectorInstanceId);
  const connector = target && ctx.env.connectors.get(target.value.providerKey);
  if (!connector?.findPrincipal) return unknown("unsupported");
  const reported = await ask(ctx, connectorInstanceId, principal);
  if (reported === undefined) return unknown("not_reached");
  if (reported.outcome === "unknown") return unknown("not_reported");
  if (reported.outcome !== "found") throw refused(principal, DETAILS[reported.outcome], reported.candidates);
  const { type, externalId, displayName = null } = reported.principal;
  // A group's access is that of everybody in it, so it never passes for one of them, nor the other way round.
  if ((type === "group") !== (principal.type === "group"))
    throw refused(principal, type === "group" ? "It is a group there." : "It is no group there.", [reported.principal]);
  return {
    principal: { type: principal.type, externalId, displayName },
    lookUp: { outcome: "found", reason: null, at: ctx.now },
  };
}

async function ask(ctx: ReadContext, instanceId: string, { type, externalId }: AccessPrincipal) {
  const { requestId } = ctx.request;
  const facts = { correlationId: requestId, idempotencyKey: requestId };
  const call = { tenantId: ctx.principal.tenantId, instanceId, capability: "principals", ...facts } as const;
  try {
    const reported = await ctx.env
      .use(connectorCalls)
      .call(call, async (on, to) => on.findPrincipal?.(to, { type, named: externalId }));
    return Reported.catch({ outcome: "unknown" }).parse(reported);
  } catch (error) {
    if (ConnectorError.is(error)) return undefined;
    throw error;
  }
}

const DETAILS = {
  absent: "The target shows other principals, and none with this id or name.",
  ambiguous: "Several principals have this name; give the id of one.",
} as const;

function refused({ externalId }: AccessPrincipal, detail: string, given: readonly unknown[]): ReeveError {
  const there = given.slice(0, COMPARED).flatMap((one) => There.safeParse(one).data ?? []);
  const textsOf = (one: There) => [one.externalId, ...(one.displayName === undefined ? [] : [one.displayName])];
  const candidates = nearest(externalId, there, textsOf, NAMED).map((one) => ({ displayName: null, ...one }));
  return new ReeveError("principal_not_found", detail, {
    errors: [{ pointer: POINTER, code: "principal_not_found", message: detail }],
    members: { candidates },
  });
}
