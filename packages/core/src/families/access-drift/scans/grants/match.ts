import { PRINCIPAL_TYPES } from "#connectors/index.js";
import {
  type AccessIdentity,
  type AccessProfile,
  type AccessResource,
  accessIdentities,
  accessProfiles,
  accessResources,
  principalSubject,
  profileSubject,
  resourceSubject,
} from "#families/access/index.js";
import {
  type AccessAssignment,
  type AccessReconciliation,
  accessAssignments,
  accessReconciliations,
  heldOn,
  holdingOf,
} from "#families/access-grants/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { ListedGrant } from "./read.js";

/** Grants of one principal on one resource, and holders of one grant, that are looked at. */
const [MOST_RECONCILIATIONS, MOST_HOLDERS] = [50, 5];

/** Who holds some grants at this moment, by grant. Those that have not begun are none. */
export async function holdersNow(
  ctx: ReadContext,
  grantKeys: readonly string[],
): Promise<Map<string, readonly AccessAssignment[]>> {
  const query = (values: readonly string[]) => ({ field: "holding", values, size: MOST_HOLDERS });
  const found = await inChunks([...new Set(grantKeys)], (some) => ctx.db.findTopPerKey(accessAssignments, query(some)));
  const held = found.map(([key, rows]) => {
    const all = rows.map((row) => ctx.derived(accessAssignments, row));
    return [key, all.filter((one) => holdingOf(one) === key && one.notBefore <= ctx.now)] as const;
  });
  return new Map(held.filter(([, all]) => all.length > 0));
}

/** What is known of the grants that a page of a listing may be about. */
export interface Known {
  readonly reconciliationsOf: (grant: ListedGrant) => readonly AccessReconciliation[];
  readonly holders: ReadonlyMap<string, readonly AccessAssignment[]>;
  readonly profiles: ReadonlyMap<string, AccessProfile>;
}

/** Reads what is known of the grants of a page, with a few queries for all of them. */
export async function knownGrants(
  ctx: ReadContext,
  connectorInstanceId: string,
  grants: readonly ListedGrant[],
): Promise<Known> {
  const keyOf = (grant: ListedGrant) => heldOn({ connectorInstanceId, ...grant });
  const keys = [...new Set(grants.map(keyOf))];
  const found = await inChunks(keys, (values) =>
    ctx.db.findTopPerKey(accessReconciliations, { field: "heldOn", values, size: MOST_RECONCILIATIONS }),
  );
  const reconciliations = new Map(found.map(([key, rows]) => [key, rows.map(({ value }) => value)] as const));
  const holders = await holdersNow(
    ctx,
    [...reconciliations.values()].flat().map(({ grantKey }) => grantKey),
  );
  const ids = new Set([...holders.values()].flat().map(({ accessProfileId }) => accessProfileId));
  const profiles = await inChunks([...ids], (some) => ctx.db.getMany(accessProfiles, some));
  return {
    reconciliationsOf: (grant) => reconciliations.get(keyOf(grant)) ?? [],
    holders,
    profiles: new Map(profiles.map(({ id, value }) => [id, value])),
  };
}

/** What is known of grants that nobody has asked for here. */
export interface Strangers {
  /** What acts as a principal; empty when no asset does. */
  readonly identitiesOf: (grant: ListedGrant) => readonly AccessIdentity[];
  readonly resourceOf: (grant: ListedGrant) => AccessResource | undefined;
  readonly profileOf: (grant: ListedGrant) => AccessProfile | undefined;
}

const MOST_IDENTITIES = 2;

/** Reads what is known of grants that match none, with a few queries for all of them. */
export async function strangersAmong(
  ctx: ReadContext,
  connectorInstanceId: string,
  grants: readonly ListedGrant[],
): Promise<Strangers> {
  const sharedOf = (externalId: string) =>
    PRINCIPAL_TYPES.map((type) => `${connectorInstanceId} ${principalSubject({ type, externalId })}`);
  const principals = [...new Set(grants.map(({ principal }) => principal.externalId))];
  const acting = await inChunks(principals.flatMap(sharedOf), (values) =>
    ctx.db.findTopPerKey(accessIdentities, { field: "shared", values, size: MOST_IDENTITIES }),
  );
  const identities = new Map(acting.map(([key, rows]) => [key, rows.map(({ value }) => value)] as const));

  const subjects = [...new Set(grants.map(({ resource }) => resourceSubject(resource.type, resource.externalId)))];
  const rows = await inChunks(subjects, (some) =>
    ctx.db.lookupMany(
      accessResources,
      "subject",
      some.map((subject) => ({ connectorInstanceId, subject })),
    ),
  );
  const resources = new Map(rows.flatMap((row, at) => (row ? [[subjects[at], row.value] as const] : [])));
  const resourceOf = ({ resource }: ListedGrant) => resources.get(resourceSubject(resource.type, resource.externalId));

  const subjectsOf = (grant: ListedGrant) => {
    const own = resourceOf(grant)?.id;
    const of = (id: string | null) => profileSubject(grant.resource.type, id, grant.profileExternalId);
    return own === undefined ? [of(null)] : [of(own), of(null)];
  };
  const wanted = [...new Set(grants.flatMap(subjectsOf))];
  const kinds = await inChunks(wanted, (some) =>
    ctx.db.lookupMany(
      accessProfiles,
      "subject",
      some.map((subject) => ({ connectorInstanceId, subject })),
    ),
  );
  const profiles = new Map(kinds.flatMap((row, at) => (row ? [[wanted[at], row.value] as const] : [])));
  return {
    identitiesOf: ({ principal }) => sharedOf(principal.externalId).flatMap((key) => identities.get(key) ?? []),
    resourceOf,
    profileOf: (grant) =>
      subjectsOf(grant)
        .map((subject) => profiles.get(subject))
        .find((one) => one !== undefined),
  };
}
