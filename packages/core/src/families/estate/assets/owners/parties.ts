import { foldUsername, type User, users } from "#families/identity/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import type { AssetFields } from "../fields.js";
import { type Answering, type Party, requireHandOver } from "./hand-over.js";

type Accountable = Pick<AssetFields, "owner" | "sponsor">;

const ROLES = ["owner", "sponsor"] as const;

/**
 * The given fields with owner and sponsor as they are stored. 400 `invalid_reference` unless a new user among them is
 * active, 403 unless the caller may change them. Parties that were there before may stay.
 */
export async function withParties<F extends Partial<Accountable>>(
  ctx: ReadContext,
  fields: F,
  before?: Answering,
): Promise<F> {
  const changed: Partial<Accountable> = {};
  for (const role of ROLES) {
    const given = fields[role];
    if (given === undefined || isSame(given, before?.[role])) continue;
    const party = given && (await storedParty(ctx, given, `/${role}`));
    if (before && !isSame(party, before[role])) await requireHandOver(ctx, role, before, party);
    changed[role] = party;
  }
  return { ...fields, ...changed };
}

/** The party as it is stored: a user by id, whether it was given by id or by e-mail address. */
export async function storedParty(ctx: ReadContext, given: Party, pointer: string): Promise<Party> {
  if (given.type === "team" || given.type === "service") return given;
  const user = await userNamed(ctx, given.id);
  if (user?.status === "active") return { ...given, type: "user", id: user.id };
  if (user) throw invalidProperty(`${pointer}/id`, `This user is ${user.status}.`, "invalid_reference");
  return given.type === "external" ? external(given, pointer) : self(ctx, given, pointer);
}

/** The ids and addresses under which users are looked up for these fields. */
export function namesIn({ owner, sponsor }: Partial<Accountable>): string[] {
  return [owner, sponsor].flatMap((party) => (party?.type === "user" || party?.type === "external" ? [party.id] : []));
}

/** Reads the users of these names in two queries, for what follows in the same transaction. */
export async function prefetchUsers(ctx: ReadContext, names: readonly string[]): Promise<void> {
  const ids = names.filter((name) => isIdOf(users, name));
  const addresses = names.filter((name) => name.includes("@")).map((name) => ({ username: foldUsername(name) }));
  if (ids.length > 0) await ctx.db.getMany(users, ids);
  if (addresses.length > 0) await ctx.db.lookupMany(users, "username", addresses);
}

/** The user with this id or e-mail address, active or not. */
export async function userNamed(ctx: ReadContext, name: string): Promise<User | undefined> {
  if (isIdOf(users, name)) return (await ctx.db.get(users, name))?.value;
  if (!name.includes("@")) return undefined;
  return (await ctx.db.lookup(users, "username", { username: foldUsername(name) }))?.value;
}

function external(given: Party, pointer: string): Party {
  if (isIdOf(users, given.id)) throw noUser(pointer);
  if (given.name !== undefined) return given;
  throw invalidProperty(`${pointer}/name`, "A person outside of Reeve is declared with a name.");
}

/** A caller whom only the host knows may name themself: they are stored as the external person they are. */
function self({ principal }: ReadContext, given: Party, pointer: string): Party {
  const { kind, userId, username } = principal;
  const isMeant = given.id === userId || foldUsername(given.id) === foldUsername(username);
  if (kind !== "user" || isIdOf(users, userId) || !isMeant) throw noUser(pointer);
  return { type: "external", id: userId, name: given.name ?? username };
}

const noUser = (pointer: string) =>
  invalidProperty(
    `${pointer}/id`,
    "There is no user with this id or e-mail address. Declare other people by type `external` with a name.",
    "invalid_reference",
  );

function isSame(one: Party | null | undefined, other: Party | null | undefined): boolean {
  return (one ?? null) === (other ?? null) || (one?.type === other?.type && one?.id === other?.id && !!one);
}
