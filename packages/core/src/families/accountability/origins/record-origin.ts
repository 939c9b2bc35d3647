import type { Context } from "#kernel/operation/context.js";
import {
  accountMade,
  credentialGiven,
  type Facts,
  machineMade,
  ownerNamed,
  passwordOwned,
  rolesGiven,
  unknownOrigin,
} from "./rules.js";
import { type Origin, origins } from "./schema.js";

/** Records where a new account comes from. Nobody is behind an account that the system made. */
export function recordAccount(ctx: Context, id: string, hasPassword: boolean): Promise<void> {
  return add(ctx, id, accountMade(person(ctx), hasPassword));
}

/** Records that somebody who has an account now has acted under this id before. */
export function recordEarlierId(ctx: Context, id: string, userId: string): Promise<void> {
  return change(ctx, "earlier_id", id, (facts) => credentialGiven(facts, userId));
}

/** Records that the caller gave roles. `kept`: whether the account keeps others, which earlier people gave. */
export function recordRoles(ctx: Context, id: string, kept: boolean): Promise<void> {
  return change(ctx, "account", id, (facts) => rolesGiven(facts, person(ctx), kept));
}

/** Records that the person alone knows the password of the account, set by a mailed link. */
export function recordOwnPassword(ctx: Context, id: string): Promise<void> {
  return change(ctx, "account", id, passwordOwned);
}

/** Records who made a machine, and who owns it. */
export function recordMachine(ctx: Context, id: string, owner: string | null): Promise<void> {
  return add(ctx, id, machineMade(person(ctx), owner));
}

/** Records that the caller gave a machine a credential, or named whose tokens it takes. */
export function recordCredential(ctx: Context, id: string): Promise<void> {
  return change(ctx, "machine", id, (facts) => credentialGiven(facts, person(ctx)));
}

/** Records who owns a machine now. */
export function recordOwner(ctx: Context, id: string, owner: string | null): Promise<void> {
  return change(ctx, "machine", id, (facts) => ownerNamed(facts, owner));
}

async function add(ctx: Context, id: string, facts: Facts): Promise<void> {
  await ctx.insert(origins, { id, ...stored(facts) });
}

async function change(ctx: Context, kind: Facts["kind"], id: string, next: (facts: Facts) => Facts): Promise<void> {
  const before = (await ctx.db.get(origins, id))?.value;
  if (before) await ctx.update(origins, before, stored(next(before)));
  else await add(ctx, id, next(unknownOrigin(kind)));
}

function stored({ kind, madeBy, heldBy, rolesBy, ownedBy }: Facts): Omit<Origin, "id" | "version" | "createdAt"> {
  return { kind, madeBy, heldBy: [...heldBy], rolesBy: [...rolesBy], ownedBy: [...ownedBy] };
}

function person({ principal }: Context): string | null {
  return principal.kind === "system" ? null : principal.userId;
}
