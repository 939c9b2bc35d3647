import {
  ConnectorError,
  type GrantQuery,
  type GrantSpec,
  type ObservedGrant,
  type Page,
  type PageRequest,
  type VerifyResult,
  WHOLE,
} from "@reeve/core/connectors";
import { z } from "zod";
import { grantsSql } from "./entries.js";
import type { Server } from "./manifest.js";
import { type Profile, profileOf, profilesOf, TYPES, type Type } from "./profiles.js";
import { OID } from "./resources.js";
import { reading, type Session } from "./session.js";

const Row = z.object({
  oid: z.string().regex(OID),
  grantee: z.string().regex(OID),
  profile: z.string(),
  inherited: z.boolean(),
  immutable: z.boolean(),
  permissions: z.array(z.string()),
  name: z.string(),
  login: z.boolean(),
});
type Row = z.output<typeof Row>;

const CURSOR = /^(database|schema|table|role)(?::(\d{1,10}):(\d{1,10}):([a-z.]+))?$/;
const START = ["-1", "0", ""] as const;
const ORDER = "(found.oid::bigint, grantee::bigint, profile)";

/** Type by type, in the order of object, grantee and profile. Page by page, so that a database of any size is read. */
export async function listGrants(
  ctx: Server,
  { resource, principals }: GrantQuery,
  { cursor, limit }: PageRequest,
): Promise<Page<ObservedGrant>> {
  const [, first, ...after] = CURSOR.exec(cursor ?? resource?.type ?? "database") ?? [];
  if (!first) throw new ConnectorError("invalid", "There is no such type or page.");
  const types = resource ? [first as Type] : TYPES.slice(TYPES.indexOf(first as Type));
  const wanted = {
    object: resource?.externalId ?? null,
    grantees: principals?.map(({ externalId }) => externalId) ?? null,
  };
  return reading(ctx, async (session) => {
    const profiles = await profilesOf(session);
    const items: ObservedGrant[] = [];
    for (const type of types) {
      const from = type === first && after[0] !== undefined ? after : START;
      const rows = await session.rows(
        Row,
        `${grantsSql(type, profiles)}
         WHERE ${ORDER} > ($2::bigint, $3::bigint, $4::text)
           AND ($5::text[] IS NULL OR grantee::text = ANY ($5))
         ORDER BY ${ORDER} LIMIT $6`,
        [wanted.object, ...from, wanted.grantees, limit - items.length + 1],
      );
      const fitting = rows.slice(0, limit - items.length);
      items.push(...fitting.map((row) => observed(type, row)));
      if (rows.length > fitting.length) return { items, nextCursor: cursorAfter(type, fitting, from), complete: false };
    }
    return { items, ...WHOLE };
  });
}

function cursorAfter(type: Type, rows: readonly Row[], from: readonly (string | undefined)[]): string {
  const last = rows.at(-1);
  if (last) return [type, last.oid, last.grantee, last.profile].join(":");
  return from === START ? type : [type, ...from].join(":");
}

function observed(
  type: Type,
  { oid, grantee, profile, inherited, immutable, permissions, name, login }: Row,
): ObservedGrant {
  return {
    resource: { type, externalId: oid },
    profileExternalId: profile,
    principal: { type: login ? "service_account" : "group", externalId: grantee, displayName: name },
    permissions,
    source: inherited ? "inherited" : "direct",
    ...(immutable ? { immutable } : {}),
  };
}

/** The one grant that a specification is about, if it is there directly. */
export async function held(session: Session, spec: GrantSpec, profile: Profile): Promise<ObservedGrant | undefined> {
  const [row] = await session.rows(
    Row,
    `${grantsSql(profile.type, await profilesOf(session))}
     WHERE grantee::text = $3 AND profile = ANY ($4) AND NOT inherited`,
    [spec.resource.externalId, 0, spec.principal.externalId, rivals(profile)],
  );
  return row && observed(profile.type, row);
}

/** A membership is of one of two profiles. */
const rivals = ({ externalId, exclusionGroup }: Profile) =>
  exclusionGroup ? ["role.member", "role.administrator"] : [externalId];

/** Whether a grant gives exactly what its profile says. */
export const isExact = ({ permissions = [] }: ObservedGrant, { privileges }: Profile): boolean =>
  permissions.length === privileges.length && privileges.every((name) => permissions.includes(name));

export async function verify(ctx: Server, spec: GrantSpec): Promise<VerifyResult> {
  return reading(ctx, async (session) => {
    const profile = await profileOf(session, spec.resource.type, spec.profileExternalId);
    const found = await held(session, spec, profile);
    if (!found) return { presence: "absent", authoritative: true };
    return { presence: isExact(found, profile) ? "present" : "mismatch", observed: found, authoritative: true };
  });
}
