import type { Context } from "#kernel/operation/context.js";
import { type JoinedRecord, type RecordKind, SHARED_NAMES } from "../declare/kind.js";
import type { RecordBody } from "./body.js";
import { resolveReferences } from "./references.js";

/** Changes a record with the hooks of its kind. The caller changes the asset. */
export async function changeRecord<R extends JoinedRecord>(
  ctx: Context,
  kind: RecordKind<R>,
  before: R,
  given: Pick<RecordBody, "fields" | "free"> & Partial<Pick<RecordBody, "shared">>,
  prepared: unknown,
): Promise<R> {
  kind.check?.(ctx, given, before);
  const fields = await resolveReferences(ctx, kind.references, given.fields, before);
  const completed = kind.complete?.(ctx, fields, before, prepared);
  const { shared = {} } = given;
  // Fields of the asset alone are not set here, because the asset determines them.
  const shown = Object.fromEntries(SHARED_NAMES.filter((name) => name in shared).map((name) => [name, shared[name]]));
  const patch = { ...fields, ...shown, ...given.free, ...completed } as Partial<R>;
  const after = await ctx.update(kind.collection, before, patch);
  return kind.finalize ? kind.finalize(ctx, after, before, prepared) : after;
}

/** Moves a record with its own machine to the requested status. */
export async function moveByMachine<R extends JoinedRecord>(
  ctx: Context,
  { collection, status: owner }: RecordKind<R>,
  record: R,
  to: string,
  reason: string | undefined,
): Promise<R> {
  if (!("machine" in owner)) throw new Error(`the status of a record of ${collection.name} is its asset's`);
  const patch = owner.patch?.(ctx, record, to) ?? {};
  const involved = (await owner.involved?.(ctx, record)) ?? [];
  return ctx.transition(collection, owner.machine, record, { to }, { reason, patch, involved });
}
