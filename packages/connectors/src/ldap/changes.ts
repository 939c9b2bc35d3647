import { type ApplyResult, ConnectorError, type GrantSpec, type VerifyResult } from "@reeve/core/connectors";
import type { Entry } from "ldapts";
import { MEMBER } from "../group-members.js";
import { entryOf, idOf, principalOf, valuesOf } from "./entries.js";
import { NO_SUCH_ATTRIBUTE, NO_SUCH_ENTRY, SCHEMA_VIOLATION, VALUE_EXISTS } from "./failure.js";
import { accountsWith, grantOf } from "./grants.js";
import { type Group, groupWithId } from "./groups.js";
import type { Directory } from "./manifest.js";
import { forget, isSomebodyElses, type Pair, remember, rememberedOf } from "./remembered.js";
import { type Session, signedIn } from "./session.js";
import { standingFor } from "./standing.js";

type Spec = GrantSpec & { readonly externalGrantId?: string };

/** A group and somebody, as the directory has them now. */
interface Found {
  readonly pair: Pair;
  readonly group: Group;
  /** `undefined` once it is gone. */
  readonly entry: Entry | undefined;
  /** What stands in the group for them, or would. */
  readonly values: readonly string[];
  /** What was written for them, under whatever name they had then. */
  readonly remembered: readonly string[];
}

export async function grant(ctx: Directory, spec: GrantSpec): Promise<ApplyResult> {
  return signedIn(ctx, async (session) => {
    const found = await find(session, ctx, spec);
    const { group, entry, values, pair } = found;
    if (!entry) throw new ConnectorError("not_found", "There is no such entry.", { code: "principal" });
    const reason = await objection(session, ctx, { group, entry, values });
    if (reason) return { outcome: "declined", reason };
    const value = (await heldOf(session, group, values)) ?? (values[0] as string);
    await remember(ctx, pair, value);
    const given = { ...grantOf(group, principalOf(entry, spec.principal.externalId)), externalGrantId: value };
    if (await session.has(group.dn, group.kind.attribute, value)) return { outcome: "already_applied", grant: given };
    const refusal = await session.change(group.dn, group.kind.attribute, { add: value });
    if (refusal === undefined) return { outcome: "applied", grant: given };
    if (refusal === VALUE_EXISTS) return { outcome: "already_applied", grant: given };
    if (refusal === NO_SUCH_ENTRY) throw noGroup();
    throw new ConnectorError("invalid", "The schema of the directory does not allow this member.");
  });
}

/** Takes away every value that stands for somebody, also for an entry that is gone or had another name. */
export async function revoke(ctx: Directory, spec: Spec): Promise<ApplyResult> {
  return signedIn(ctx, async (session) => {
    const { group, pair, values, remembered } = await find(session, ctx, spec);
    const all = [...new Set([...values, ...remembered])];
    if (all.length === 0) throw nameless();
    let changed = false;
    for (const value of all) {
      // The name of an entry that is gone may be somebody else's by now, who was granted it too.
      if (!values.includes(value) && (await isSomebodyElses(ctx, pair, value))) continue;
      const refusal = await take(session, ctx, group, value);
      if (refusal === SCHEMA_VIOLATION) return { outcome: "declined", reason: LAST };
      if (refusal === undefined) changed = true;
      else if (refusal !== NO_SUCH_ATTRIBUTE && refusal !== NO_SUCH_ENTRY)
        throw new ConnectorError("conflict", "The group changed at this moment.");
    }
    await forget(ctx, pair);
    return { outcome: changed ? "applied" : "already_applied" };
  });
}

/** The removal is sent without a look, so that the directory itself says whether the value was there. */
async function take(session: Session, { config: { placeholderDn } }: Directory, group: Group, value: string) {
  const { dn, kind } = group;
  const refusal = await session.change(dn, kind.attribute, { remove: value });
  if (refusal !== SCHEMA_VIOLATION || !placeholderDn || kind.by !== "name") return refusal;
  return session.change(dn, kind.attribute, { add: placeholderDn, remove: value });
}

const LAST = "It is the last member of a group that may not be empty, and no placeholder is configured.";
const noGroup = () => new ConnectorError("not_found", "There is no such group.", { code: "resource" });
const nameless = () =>
  new ConnectorError("not_found", "There is no such entry, and its name in the group is not known.", {
    code: "principal",
  });

/**
 * Asks the directory to compare, which is never a copy of what was listed. A name that is left of an entry that is gone
 * or renamed is a `mismatch`: whoever gets that name has the access.
 */
export async function verify(ctx: Directory, spec: Spec): Promise<VerifyResult> {
  return signedIn(ctx, async (session) => {
    const { group, entry, values, remembered } = await find(session, ctx, spec);
    if (entry && (await heldOf(session, group, values)) !== undefined) {
      const observed = grantOf(group, principalOf(entry, spec.principal.externalId));
      return { presence: "present", observed, authoritative: true };
    }
    if ((await heldOf(session, group, remembered)) !== undefined) return { presence: "mismatch", authoritative: true };
    return { presence: entry || remembered.length > 0 ? "absent" : "unknown", authoritative: true };
  });
}

/** Rejects with `not_found` when there is no such group. */
async function find(session: Session, ctx: Directory, spec: Spec): Promise<Found> {
  const { resource, principal, profileExternalId, externalGrantId } = spec;
  if (resource.type !== "group" || profileExternalId !== MEMBER)
    throw new ConnectorError("invalid", "There is no such profile of this type of resource.");
  const pair = { groupId: resource.externalId, principalId: principal.externalId };
  const [group, entry] = await Promise.all([
    groupWithId(session, ctx, resource.externalId),
    entryOf(session, ctx, principal.externalId),
  ]);
  if (!group) throw noGroup();
  const listed = entry ? await standingFor(session, ctx, group, entry) : [];
  const plain = entry === undefined ? [] : group.kind.by === "uid" ? valuesOf(entry, "uid") : [entry.dn];
  const values = listed.length > 0 ? listed : plain;
  const written = [...(await rememberedOf(ctx, pair)), ...(externalGrantId === undefined ? [] : [externalGrantId])];
  return { pair, group, entry, values, remembered: written.filter((value) => !values.includes(value)) };
}

/** Why somebody cannot be made a member, if so. */
async function objection(
  session: Session,
  ctx: Directory,
  { group, entry, values }: Pick<Found, "group" | "values"> & { readonly entry: Entry },
): Promise<string | undefined> {
  if (idOf(entry) === group.id) return "A group is no member of itself.";
  if (group.kind.by === "name") return undefined;
  const [uid] = values;
  if (uid === undefined) return "The group holds members by uid, and the entry has none.";
  const people = await accountsWith(session, ctx, uid);
  return people.length === 1 && people[0]?.dn === entry.dn
    ? undefined
    : "The uid does not stand for this account alone.";
}

/** The first of some values that a group has, by the directory's own rules. */
async function heldOf(session: Session, { dn, kind }: Group, values: readonly string[]): Promise<string | undefined> {
  for (const value of values) if (await session.has(dn, kind.attribute, value)) return value;
  return undefined;
}
