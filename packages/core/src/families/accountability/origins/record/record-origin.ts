import type { Context } from "../../../../kernel/operation/context.js";
import { type Origin, origins } from "../schema.js";

type Told = Omit<Origin, "id" | "version" | "createdAt" | "kind">;

const NOTHING: Told = { madeBy: null, heldBy: [], rolesBy: [], ownedBy: null };

/** Records where a new account comes from. Nobody is behind an account that the system made. */
export async function recordAccount(ctx: Context, id: string, hasPassword: boolean): Promise<void> {
  const by = people(ctx);
  await ctx.insert(origins, {
    id,
    kind: "account",
    ...NOTHING,
    madeBy: by[0] ?? null,
    heldBy: hasPassword ? by : [],
    rolesBy: by,
  });
}

/** Records that the caller gave roles. `kept`: whether the account keeps others, which earlier people gave. */
export function recordRoles(ctx: Context, id: string, kept: boolean): Promise<void> {
  return change(ctx, "account", id, ({ rolesBy }) => ({ rolesBy: joined(kept ? rolesBy : [], people(ctx)) }));
}

/** Records that the person alone knows the password of the account, set by a mailed link. */
export function recordOwnPassword(ctx: Context, id: string): Promise<void> {
  return change(ctx, "account", id, () => ({ heldBy: [] }));
}

/** Records who made a machine, and who owns it. */
export async function recordMachine(ctx: Context, id: string, ownedBy: string | null): Promise<void> {
  await ctx.insert(origins, { id, kind: "machine", ...NOTHING, madeBy: people(ctx)[0] ?? null, ownedBy });
}

/** Records that the caller gave a machine a credential, or named whose tokens it takes. */
export function recordCredential(ctx: Context, id: string): Promise<void> {
  return change(ctx, "machine", id, ({ heldBy }) => ({ heldBy: joined(heldBy, people(ctx)) }));
}

/** Records who owns a machine now. */
export function recordOwner(ctx: Context, id: string, ownedBy: string | null): Promise<void> {
  return change(ctx, "machine", id, () => ({ ownedBy }));
}

async function change(
  ctx: Context,
  kind: Origin["kind"],
  id: string,
  patch: (before: Told) => Partial<Told>,
): Promise<void> {
  const before = (await ctx.db.get(origins, id))?.value;
  if (before) await ctx.update(origins, before, patch(before));
  else await ctx.insert(origins, { id, kind, ...NOTHING, ...patch(NOTHING) });
}

function people({ principal }: Context): string[] {
  return principal.kind === "system" ? [] : [principal.userId];
}

const joined = (some: readonly string[], more: readonly string[]) => [...new Set([...some, ...more])];
