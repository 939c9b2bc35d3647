import type { StoredRecord } from "#store/collection.js";
import { ReeveError } from "../http/errors.js";
import type { Collection } from "../records/collection.js";
import type { Machine, Transition } from "../records/machine.js";
import type { GuardSubject } from "./guard.js";
import { requirePermission } from "./permission.js";
import type { ReadContext } from "./read-context.js";

/** 403 unless the principal may make this transition of this record. */
export function checkMover({ env, principal }: ReadContext, row: Transition, record: object): void {
  const { userId, kind } = principal;
  const { owner } = record as { owner?: { id?: string } | null };
  const owns = owner?.id === userId;
  if (row.permission && !(row.ownerMay && owns)) requirePermission(env, principal, row.permission);
  if (row.byPeople && kind === "client")
    throw new ReeveError("permission_denied", `"${row.event}" is a decision that only people take.`);
}

/** The names of a transition's guards. 409 `transition_guard_failed` unless all of them hold. */
export async function checkGuards<R extends StoredRecord>(
  ctx: ReadContext,
  collection: Collection<R>,
  machine: Machine,
  row: Transition,
  record: R,
  after: R,
): Promise<string[]> {
  const names = row.guards ?? [];
  const results: { key: string; ok: boolean; detail: string }[] = [];
  for (const key of names) {
    const guard = machine.guards[key];
    if (!guard) throw new Error(`machine ${machine.name} has no guard "${key}"`);
    const missing = await guard.check({
      record,
      after,
      to: row.to,
      ctx,
      collection,
    } satisfies GuardSubject<R> as never);
    results.push({ key, ok: missing === undefined, detail: missing ?? guard.description });
  }
  const failed = results.filter((result) => !result.ok);
  if (failed.length > 0) {
    throw new ReeveError("transition_guard_failed", failed.map((result) => result.detail).join(" "), {
      members: { guards: results },
    });
  }
  return [...names];
}
