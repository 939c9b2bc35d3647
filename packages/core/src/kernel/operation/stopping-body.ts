import type { JsonObject } from "../http/json-guard.js";
import { holdsSecret } from "../http/secrets-in-text.js";
import { CUT, LONGEST_REASON } from "../records/reason.js";

/**
 * The body of what stops something, with a `reason` that is no hindrance: one that is no text or holds a secret is left out, and
 * a long one is cut where everybody sees it.
 */
export function stoppingBody(body: JsonObject | undefined): JsonObject | undefined {
  if (body === undefined || !Object.hasOwn(body, "reason")) return body;
  const { reason, ...rest } = body;
  if (typeof reason !== "string" || holdsSecret(reason)) return rest;
  return reason.length > LONGEST_REASON ? { ...body, reason: cut(reason) } : body;
}

/** Half of a surrogate pair is no text. */
const cut = (reason: string) => reason.slice(0, LONGEST_REASON - CUT.length).replace(/[\uD800-\uDBFF]$/, "") + CUT;
