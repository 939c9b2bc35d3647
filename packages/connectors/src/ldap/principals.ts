import type { Principal, PrincipalLookup, PrincipalQuery } from "@reeve/core/connectors";
import type { Entry, Filter } from "ldapts";
import { beginningOf, lookupOf } from "../lookup.js";
import { entryOf, idOf, principalOf, WHO } from "./entries.js";
import { groupBaseOf } from "./groups.js";
import type { Directory } from "./manifest.js";
import { type Session, signedIn } from "./session.js";

/** Attributes that name an entry. */
const NAMES = ["uid", "cn"] as const;

/** An entry below the base by its id, its distinguished name, its `uid` or its `cn`. */
export async function findPrincipal(ctx: Directory, { type, named }: PrincipalQuery): Promise<PrincipalLookup> {
  return signedIn(ctx, async (session) => {
    const baseDn = type === "group" ? groupBaseOf(ctx) : ctx.config.baseDn;
    const ofType = (entries: readonly Entry[]) =>
      entries.flatMap(principalsOf).filter((one) => (one.type === "group") === (type === "group"));
    const by = async (filterOf: (attribute: string) => Filter) => {
      const filters = NAMES.map(filterOf);
      return ofType((await session.search(baseDn, new session.library.OrFilter({ filters }), WHO)).entries);
    };
    const { EqualityFilter, SubstringFilter, PresenceFilter } = session.library;
    const known = ofType(await entriesAt(session, ctx, named, baseDn));
    const value = named;
    const fitting = known.length > 0 ? known : await by((attribute) => new EqualityFilter({ attribute, value }));
    return lookupOf(fitting, async () => {
      const alike = await by((attribute) => new SubstringFilter({ attribute, initial: beginningOf(named) }));
      return alike.length > 0 ? alike : by((attribute) => new PresenceFilter({ attribute }));
    });
  });
}

/** The entry with an id or a distinguished name, below the base. */
async function entriesAt(session: Session, ctx: Directory, named: string, baseDn: string): Promise<readonly Entry[]> {
  const at = named.includes("=") ? await session.entry(named, WHO) : undefined;
  const entry = await entryOf(session, ctx, (at && idOf(at)) ?? named, [], baseDn);
  return entry ? [entry] : [];
}

function principalsOf(entry: Entry): readonly Principal[] {
  const id = idOf(entry);
  return id === undefined ? [] : [principalOf(entry, id)];
}
