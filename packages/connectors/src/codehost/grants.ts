import {
  ConnectorError,
  type ExternalRef,
  type GrantQuery,
  type ObservedGrant,
  type Page,
  type PageRequest,
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
  /** Nothing was left out so far. */
  readonly whole: boolean;
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
    const grants = chosen(await grantsOn(api, resource));
    at = among(grants, at);
    const rest = grants.slice(at.offset, at.offset + limit);
    const end = at.offset + rest.length;
    return end < grants.length ? goOn(rest, behind(rest, at)) : { items: rest, complete: at.whole };
  }
  const items: ObservedGrant[] = [];
  for (let visited = 0; visited < RESOURCES; visited += 1) {
    const { resources, whole, after } = await resourcesAt(ctx, api, at);
    if (!whole) at = { ...at, whole };
    if (at.id !== undefined && resources[at.index]?.externalId !== at.id) at = { ...at, offset: 0, whole: false };
    for (; at.index < resources.length; at = { ...at, index: at.index + 1, ...ITS_START }) {
      const here = resources[at.index] as ExternalRef;
      at = { ...at, id: here.externalId };
      if (visited >= RESOURCES || items.length >= limit) return goOn(items, at);
      visited += 1;
      const found = await orMissing(grantsOn(api, here));
      // Hosts say that it is gone too of what they no longer show.
      if (!found) at = { ...at, whole: false };
      const grants = chosen(found ?? []);
      at = among(grants, at);
      const fitting = grants.slice(at.offset, at.offset + limit - items.length);
      items.push(...fitting);
      if (at.offset + fitting.length < grants.length) return goOn(items, behind(fitting, at));
    }
    if (!after) return { items, complete: at.whole };
    at = { ...after, index: 0, ...ITS_START, whole: at.whole };
  }
  return goOn(items, at);
}

async function grantsOn(api: Api, resource: ExternalRef): Promise<readonly ObservedGrant[]> {
  if (resource.type === "team") return membersOf(api, resource);
  if (resource.type === "owner") return [];
  const repository = await repositoryOf(api, resource.externalId);
  return (await accessOf(api, repository)).map((access) => grantOf(repository, access));
}

/** Where the grants of a resource begin. */
const ITS_START = { offset: 0, id: undefined, who: undefined } as const;

/** Where another grant stands than the last one that was given, one may have been left out. */
const among = (grants: readonly ObservedGrant[], at: Position): Position =>
  at.offset === 0 || grants[at.offset - 1]?.principal.externalId === at.who ? at : { ...at, whole: false };

const behind = (given: readonly ObservedGrant[], at: Position): Position => ({
  ...at,
  offset: at.offset + given.length,
  who: given.at(-1)?.principal.externalId ?? at.who,
});

interface Part {
  readonly resources: readonly ExternalRef[];
  /** Every entry can be used. */
  readonly whole: boolean;
  readonly after: Pick<Position, "type" | "page" | "last"> | undefined;
}

async function resourcesAt(ctx: CodeHost, api: Api, { type, page, last }: Position): Promise<Part> {
  const first = { type: "repository", page: 1 } as const;
  if (type === "team") return { resources: await teamsOf(ctx, api), whole: true, after: first };
  const { items, rejected, next } = await repositoriesOn(ctx, api, { page, last });
  const resources = items.map(({ id }): ExternalRef => ({ type: "repository", externalId: String(id) }));
  return { resources, whole: rejected.length === 0, after: next && { ...first, ...next } };
}

const START: Position = { type: "team", page: 1, index: 0, offset: 0, whole: true };

const goOn = (items: readonly ObservedGrant[], at: Position): Page<ObservedGrant> => ({
  items,
  complete: false,
  nextCursor: [
    ...[at.type, at.page, at.index, at.offset],
    ...(at.last === undefined ? [] : [`l${at.last}`]),
    ...(at.id === undefined ? [] : [`i${at.id}`]),
    ...(at.who === undefined ? [] : [`w${at.who}`]),
    ...(at.whole ? [] : [PART]),
  ].join("."),
});

/** The end of a cursor on the way of which something was left out. */
const PART = "part";

const IDS = ["l", "i", "w"].map((name) => `(?:\\.${name}(\\d{1,15}))?`).join("");
const SHAPE = new RegExp(`^(repository|team)\\.(\\d{1,7})\\.(\\d{1,7})\\.(\\d{1,7})${IDS}(?:\\.(part))?$`);

function positionOf(cursor: string): Position {
  const [, type, page, index, offset, last, id, who, part] = SHAPE.exec(cursor) ?? [];
  if (!type) throw new ConnectorError("invalid", "The cursor is not one of this listing.", { code: "cursor" });
  const before = last === undefined ? undefined : Number(last);
  const place = { page: Number(page), last: before, index: Number(index), offset: Number(offset) };
  return { type: type as Position["type"], ...place, id, who, whole: part !== PART };
}
