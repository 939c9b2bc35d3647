import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import { valueAt } from "../../../../kernel/records/value-at.js";
import type { Action, Ask } from "./request.js";

/**
 * The digest that an approval is bound to: SHA-256 of subject, action and resource as canonical JSON. Absent properties
 * count as empty.
 */
export function actionDigestOf(ask: Action): string {
  return sha256(canonical(plain(ask)));
}

/** The digest of the whole request with its circumstances, for the log, which does not store it. */
export function inputDigestOf(ask: Ask): string {
  return sha256(canonical({ ...plain(ask), context: ask.context }));
}

/** The circumstances that an approval is bound to: the values at these paths, or all when a path is dynamic. */
export function circumstancesAt({ context }: Ask, paths: readonly string[]): object {
  const { approvalId: _, ...rest } = context;
  if (paths.some((path) => path === "context" || path.includes("["))) return rest;
  return Object.fromEntries(paths.map((path) => [path, valueAt(context, path.split(".").slice(1)) ?? null]));
}

function plain({ subject, action, resource }: Action): object {
  return { subject: filled(subject), action: filled(action), resource: filled(resource) };
}

function filled<P extends { readonly properties?: Readonly<Record<string, unknown>> | undefined }>(part: P) {
  return { ...part, properties: part.properties ?? {} };
}
