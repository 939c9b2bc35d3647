import { canonical } from "#kernel/events/canonical.js";
import { valueAt } from "#kernel/records/value-at.js";
import { sha256 } from "#store/chain.js";
import type { Ask } from "./request.js";

/** Digests of a request: SHA-256 of canonical JSON, in which absent properties count as empty. */
export interface Digests {
  /** Of subject, action and resource, to which an approval is bound. */
  readonly action: string;
  /** Of the whole request with its circumstances, for the log, which does not store it. */
  readonly input: string;
}

/** Both digests of a request. Each part is written once, and all names stand in canonical order. */
export function digestsOf({ subject, action, resource, context }: Ask): Digests {
  const before = `{"action":${canonical({ name: action.name, properties: action.properties ?? {} })},`;
  const after = `"resource":${canonical(party(resource))},"subject":${canonical(party(subject))}}`;
  return {
    action: sha256(before + after),
    input: sha256(`${before}"context":${canonical(context)},${after}`),
  };
}

/** The circumstances that an approval is bound to: the values at these paths, or all when a path is dynamic. */
export function circumstancesAt({ context }: Ask, paths: readonly string[]): object {
  const { approvalId: _, approvalScope: __, ...rest } = context;
  if (paths.some((path) => path === "context" || path.includes("["))) return rest;
  return Object.fromEntries(paths.map((path) => [path, valueAt(context, path.split(".").slice(1)) ?? null]));
}

/** A call without its arguments: who calls which tool. */
export function toolOf({ subject, action, resource }: Ask): object {
  const tool = action.properties?.tool ?? null;
  return { subject: party(subject), action: { name: action.name, tool }, resource: party(resource) };
}

function party({ id, properties = {}, type }: Ask["subject"]): object {
  return { id, properties, type };
}
