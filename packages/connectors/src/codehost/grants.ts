import {
  ConnectorError,
  type ExternalRef,
  type GrantQuery,
  INCOMPLETE_REASONS,
  type IncompleteReason,
  type ObservedGrant,
  type Page,
  type PageRequest,
  wholeUnless,
} from "@reeve/core/connectors";
import { type Api, apiOf } from "./api.js";
import { accessOf, grantOf } from "./collaborators.js";
import type { CodeHost } from "./configuration.js";
import { orMissing, repositoryOf } from "./lookups.js";
import { repositoriesOn, teamsOf } from "./resources.js";
import { membersOf } from "./team-access.js";

/** Where a listing over all resources is: teams first, then pages of repositories. */
interface Position {
  readonly type: "repository" | "team";
  /** Page of repositories, from 1, and the last one of the page before. */
  readonly page: number;
  readonly last?: number | undefined;
  readonly index: number;
  /** Grants of the resource that were given already. */
  readonly offset: number;
  /** The resource at this place, and who the last grant of it was given for, by which a move is noticed. */
  readonly id?: string | undefined;
  readonly who?: string | undefined;
  /** Why something may have been left out so far. */
  readonly doubt: IncompleteReason | null;
}

/** Resources of one page at the most, since each costs requests. */
const RESOURCES = 10;

export async function listGrants(
  ctx: CodeHost,
  { resource, principals }: GrantQuery,
  { cursor, limit }: PageRequest,
): Promise<Page<ObservedGrant>> {
  const api = await apiOf(ctx);
  const wanted = principals && new Set(principals.map(({ externalId }) => externalId));
  const chosen = (grants: readonly ObservedGrant[]) =>
    wanted ? grants.filter(({ principal }) => wanted.has(principal.externalId)) : grants;
  let at = cursor === undefined ? START : positionOf(cursor);
  if (resource) {
    const listed = await grantsOn(api, resource);
    const grants = chosen(listed.grants);
    at = among(grants, doubting(at, listed.doubt));
    const rest = grants.slice(at.offset, at.offset + limit);
    const end = at.offset + rest.length;
    return end < grants.length ? goOn(rest, behind(rest, at)) : { items: rest, ...wholeUnless(at.doubt) };
  }
  const items: ObservedGrant[] = [];
  for (let visited = 0; visited < RESOURCES; visited += 1) {
    const { resources, doubt, after } = await resourcesAt(ctx, api, at);
    at = doubting(at, doubt);
    if (at.id !== undefined && resources[at.index]?.externalId !== at.id)
      at = doubting({ ...at, offset: 0 }, "changed");
    for (; at.index < resources.length; at = { ...at, index: at.index + 1, ...ITS_START }) {
      const here = resources[at.index] as ExternalRef;
      at = { ...at, id: here.externalId };
      if (visited >= RESOURCES || items.length >= limit) return goOn(items, at);
      visited += 1;
      const found = await orMissing(grantsOn(api, here));
      // Hosts say that it is gone too of what they no longer show.
      at = doubting(at, found ? found.doubt : "hidden");
      const grants = chosen(found?.grants ?? []);
      at = among(grants, at);
      const fitting = grants.slice(at.offset, at.offset + limit - items.length);
      items.push(...fitting);
      if (at.offset + fitting.length < grants.length) return goOn(items, behind(fitting, at));
    }
    if (!after) return { items, ...wholeUnless(at.doubt) };
    at = { ...after, index: 0, ...ITS_START, doubt: at.doubt };
  }
  return goOn(items, at);
}

interface Grants {
  readonly grants: readonly ObservedGrant[];
  readonly doubt: IncompleteReason | null;
}

async function grantsOn(api: Api, resource: ExternalRef): Promise<Grants> {
  if (resource.type === "team") return membersOf(api, resource);
  if (resource.type === "owner") return { grants: [], doubt: null };
  const repository = await repositoryOf(api, resource.externalId);
  const { found, doubt } = await accessOf(api, repository);
  return { grants: found.map((access) => grantOf(repository, access)), doubt };
}

/** The first reason to doubt is kept. */
const doubting = (at: Position, doubt: IncompleteReason | null): Position => ({ ...at, doubt: at.doubt ?? doubt });

/** Where the grants of a resource begin. */
const ITS_START = { offset: 0, id: undefined, who: undefined } as const;

/** Where another grant stands than the last one that was given, one may have been left out. */
const among = (grants: readonly ObservedGrant[], at: Position): Position =>
  at.offset === 0 || grants[at.offset - 1]?.principal.externalId === at.who ? at : doubting(at, "changed");

const behind = (given: readonly ObservedGrant[], at: Position): Position => ({
  ...at,
  offset: at.offset + given.length,
  who: given.at(-1)?.principal.externalId ?? at.who,
});

interface Part {
  readonly resources: readonly ExternalRef[];
  readonly doubt: IncompleteReason | null;
  readonly after: Pick<Position, "type" | "page" | "last"> | undefined;
}

async function resourcesAt(ctx: CodeHost, api: Api, { type, page, last }: Position): Promise<Part> {
  const first = { type: "repository", page: 1 } as const;
  if (type === "team") {
    const { items: resources, doubt } = await teamsOf(ctx, api);
    return { resources, doubt, after: first };
  }
  const { items, rejected, next, end } = await repositoriesOn(ctx, api, { page, last });
  const resources = items.map(({ id }): ExternalRef => ({ type: "repository", externalId: String(id) }));
  const doubt = rejected.length > 0 ? "rejected" : next || end.complete ? null : end.incomplete;
  return { resources, doubt, after: next && { ...first, ...next } };
}

const START: Position = { type: "team", page: 1, index: 0, offset: 0, doubt: null };

const goOn = (items: readonly ObservedGrant[], at: Position): Page<ObservedGrant> => ({
  items,
  complete: false,
  nextCursor: [
    ...[at.type, at.page, at.index, at.offset],
    ...(at.last === undefined ? [] : [`l${at.last}`]),
    ...(at.id === undefined ? [] : [`i${at.id}`]),
    ...(at.who === undefined ? [] : [`w${at.who}`]),
    ...(at.doubt === null ? [] : [`d${at.doubt}`]),
  ].join("."),
});

const IDS = ["l", "i", "w"].map((name) => `(?:\\.${name}(\\d{1,15}))?`).join("");
const SHAPE = new RegExp(
  `^(repository|team)\\.(\\d{1,7})\\.(\\d{1,7})\\.(\\d{1,7})${IDS}(?:\\.d(${INCOMPLETE_REASONS.join("|")}))?$`,
);

function positionOf(cursor: string): Position {
  const [, type, page, index, offset, last, id, who, doubt = null] = SHAPE.exec(cursor) ?? [];
  if (!type) throw new ConnectorError("invalid", "The cursor is not one of this listing.", { code: "cursor" });
  const before = last === undefined ? undefined : Number(last);
  const place = { page: Number(page), last: before, index: Number(index), offset: Number(offset) };
  return { type: type as Position["type"], ...place, id, who, doubt: doubt as IncompleteReason | null };
}
