/** Where an account or a machine comes from. */
export interface Facts {
  readonly kind: "account" | "machine" | "earlier_id";
  /** Who created it. `null` for founders and for accounts of the host. */
  readonly madeBy: string | null;
  /** Whose earlier id it is. Who set the password of an account, or issued credentials of a machine, and so may hold its secret. */
  readonly heldBy: readonly string[];
  /** Who gave the roles that an account holds. */
  readonly rolesBy: readonly string[];
  /** Who owns a machine, or has owned it. */
  readonly ownedBy: readonly string[];
}

const NOTHING = { madeBy: null, heldBy: [], rolesBy: [], ownedBy: [] } as const;

/** A new account. `by` is `null` when the system made it. */
export function accountMade(by: string | null, hasPassword: boolean): Facts {
  const given = by === null ? [] : [by];
  return { kind: "account", madeBy: by, heldBy: hasPassword ? given : [], rolesBy: given, ownedBy: [] };
}

export function machineMade(by: string | null, owner: string | null): Facts {
  return { ...NOTHING, kind: "machine", madeBy: by, ownedBy: owner === null ? [] : [owner] };
}

/** An account or machine of which nothing was recorded. */
export function unknownOrigin(kind: Facts["kind"]): Facts {
  return { ...NOTHING, kind };
}

/** `kept`: whether the account keeps other roles, which earlier people gave. */
export function rolesGiven({ rolesBy, ...facts }: Facts, by: string | null, kept: boolean): Facts {
  return { ...facts, rolesBy: joined(kept ? rolesBy : [], by) };
}

/** The person alone knows the password, set by a mailed link. */
export function passwordOwned(facts: Facts): Facts {
  return { ...facts, heldBy: [] };
}

export function credentialGiven(facts: Facts, by: string | null): Facts {
  return { ...facts, heldBy: joined(facts.heldBy, by) };
}

/** Earlier owners stay, because what they had it ask for may still wait. */
export function ownerNamed(facts: Facts, owner: string | null): Facts {
  return { ...facts, ownedBy: joined(facts.ownedBy, owner) };
}

const joined = (ids: readonly string[], id: string | null) => (id === null ? ids : [...new Set([...ids, id])]);
