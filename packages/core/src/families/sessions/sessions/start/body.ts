import { readEstateBody } from "#families/estate/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { openBody } from "#kernel/records/open-body.js";
import { sessionStatus } from "../machine.js";
import { loosened } from "../report/limits.js";
import { FIXED, SENSITIVITIES, SESSION_READ_ONLY, type Session, SessionFields } from "../schema.js";

const GivenFields = SessionFields.partial();

export const SessionRequest = openBody({
  id: "AiSessionRequest",
  fields: SessionFields,
  states: statesOf(sessionStatus),
  example: { name: "Claims of this morning", purpose: "Sorts incoming claims.", environment: "development" },
});

export type SessionBody = ReturnType<typeof readSessionBody>;

/** Reads a generic body as a session. `current` is the stored session, whose read-only values a body may repeat. */
export function readSessionBody(body: GenericBody, current: object = {}) {
  return readEstateBody(body, GivenFields, SESSION_READ_ONLY, current);
}

/**
 * 400 for fields that cannot change, and for a lower sensitivity. 403 for a machine client that would loosen its own
 * limits.
 */
export function checkChange(ctx: Context, before: Session, fields: SessionBody["fields"]): void {
  const moved = FIXED.find((name) => fields[name] !== undefined && fields[name] !== before[name]);
  if (moved) throw invalidProperty(`/${moved}`, "It is settled when a session starts.", "read_only_property");
  const { sensitivity = before.sensitivity, limits = before.limits, expiresAt = before.expiresAt } = fields;
  if (SENSITIVITIES.indexOf(sensitivity) < SENSITIVITIES.indexOf(before.sensitivity))
    throw invalidProperty("/sensitivity", `It is "${before.sensitivity}" and can only rise.`);
  const longer = before.expiresAt !== null && (expiresAt === null || expiresAt > before.expiresAt);
  if (ctx.principal.kind === "client" && (longer || loosened(before.limits, limits)))
    throw new ReeveError("permission_denied", "Only people give a session more room.");
}
