import {
  ConnectorError,
  type ObservedProfile,
  type ObservedResource,
  type Page,
  type PageRequest,
  type ProfileQuery,
  pageOf,
  type RejectedItem,
  wholeUnless,
} from "@reeve/core/connectors";
import { type Api, apiOf, type HostList, PER_PAGE } from "./api.js";
import type { CodeHost } from "./configuration.js";
import { PROFILES } from "./roles.js";
import { Account, Organisation, Repository, Team } from "./shapes.js";

type Owner = Pick<Account, "id" | "login">;

export async function listResources(ctx: CodeHost, type: string, page: PageRequest): Promise<Page<ObservedResource>> {
  const api = await apiOf(ctx);
  if (type === "repository") return listRepositories(ctx, api, page);
  if (type === "team") return pageOfList(await teamsOf(ctx, api), page);
  if (type === "owner") return pageOfList(await ownersOf(ctx, api), page);
  throw new ConnectorError("unsupported", "The code host has no such resources.", { code: "resource_type" });
}

export async function listAccessProfiles(
  _ctx: CodeHost,
  { resourceType }: ProfileQuery,
  page: PageRequest,
): Promise<Page<ObservedProfile>> {
  return pageOf(
    PROFILES.filter((profile) => profile.resourceType === resourceType),
    page,
  );
}

const REPOSITORIES = "GET /user/repos";
/** Oldest first, so that new ones come last. */
const ORDER = { sort: "created", direction: "asc" } as const;

/** Where a listing of repositories is. */
export interface RepositoryPlace {
  readonly page: number;
  /** The last repository of the page before. */
  readonly last?: number | undefined;
}

/**
 * One page of the repositories that the token sees. Where some have moved over its edge since the page before was read,
 * one may be on neither, which is told as an entry that cannot be used.
 */
export async function repositoriesOn({ config }: CodeHost, api: Api, at: RepositoryPlace, perPage = PER_PAGE) {
  const { items, rejected, next, end } = await api.page(
    REPOSITORIES,
    { page: at.page, per_page: perPage, ...ORDER },
    Repository,
  );
  const moved = at.last === undefined ? [] : await movedFrom(api, at.page, at.last, perPage);
  return {
    items: items.filter(({ owner }) => isWanted(config.owners, owner.login)),
    rejected: [...moved, ...rejected],
    end,
    next: next === undefined ? undefined : ({ page: next, last: items.at(-1)?.id } satisfies RepositoryPlace),
  };
}

/** Looks again at the end of the page before. */
async function movedFrom(api: Api, page: number, last: number, perPage: number): Promise<readonly RejectedItem[]> {
  const { items } = await api.page(REPOSITORIES, { page: (page - 1) * perPage, per_page: 1, ...ORDER }, Repository);
  if (items[0]?.id === last) return [];
  return [{ externalId: String(last), reason: "It is not where it was listed: the list has changed meanwhile." }];
}

async function listRepositories(
  ctx: CodeHost,
  api: Api,
  { cursor, limit }: PageRequest,
): Promise<Page<ObservedResource>> {
  const at = cursor === undefined ? { page: 1 } : placeOf(cursor);
  const { items, rejected, next, end } = await repositoriesOn(ctx, api, at, Math.min(limit, PER_PAGE));
  return {
    items: items.map(repositoryResource),
    rejected,
    ...(next === undefined ? end : { nextCursor: spelled(next), complete: false }),
  };
}

/** A place as part of a cursor. */
const spelled = ({ page, last }: RepositoryPlace) => (last === undefined ? `${page}` : `${page}.${last}`);

function placeOf(cursor: string): RepositoryPlace {
  const [, page, last] = /^([1-9]\d{0,6})(?:\.(\d{1,15}))?$/.exec(cursor) ?? [];
  if (!page) throw new ConnectorError("invalid", "The cursor is not one of this listing.", { code: "cursor" });
  return { page: Number(page), last: last === undefined ? undefined : Number(last) };
}

/** A page of a list that is read to its end for each page. */
function pageOfList<T>({ items, rejected, doubt }: HostList<T>, page: PageRequest): Page<T> {
  const { complete, ...part } = pageOf(items, page);
  const end = complete ? wholeUnless(doubt) : { complete };
  return { ...part, ...end, rejected: page.cursor === undefined ? rejected : [] };
}

/** The account of the token, and the organisations that it is in. */
async function ownersOf({ config }: CodeHost, api: Api): Promise<HostList<ObservedResource>> {
  const [account, organisations] = await Promise.all([
    api.read("GET /user", {}, Account),
    api.all("GET /user/orgs", {}, Organisation),
  ]);
  const owners = [account, ...organisations.items].filter(({ login }) => isWanted(config.owners, login));
  return { ...organisations, items: owners.sort((one, other) => one.id - other.id).map(ownerResource) };
}

export async function teamsOf({ config }: CodeHost, api: Api): Promise<HostList<ObservedResource>> {
  const organisations = await api.all("GET /user/orgs", {}, Organisation);
  const wanted = organisations.items.filter(({ login }) => isWanted(config.owners, login));
  const teams: ObservedResource[] = [];
  const rejected = [...organisations.rejected];
  let { doubt } = organisations;
  for (const { id, login } of wanted) {
    const found = await api.all("GET /orgs/{org}/teams", { org: login }, Team);
    teams.push(...found.items.map((team) => teamResource(team, id, login)));
    rejected.push(...found.rejected);
    doubt ??= found.doubt;
  }
  return { items: teams.sort((one, other) => Number(one.externalId) - Number(other.externalId)), rejected, doubt };
}

/** Names of accounts do not tell upper case from lower case. */
const isWanted = (owners: readonly string[] | undefined, login: string) =>
  owners === undefined || owners.some((owner) => owner.toLowerCase() === login.toLowerCase());

const ownerResource = ({ id, login }: Owner): ObservedResource => ({
  type: "owner",
  externalId: String(id),
  name: login,
});

const repositoryResource = (repository: Repository): ObservedResource => ({
  type: "repository",
  externalId: String(repository.id),
  name: repository.full_name,
  parent: { type: "owner", externalId: String(repository.owner.id) },
  attributes: { private: repository.private, archived: repository.archived ?? false },
  labels: repository.topics ?? [],
});

const teamResource = ({ id, name, slug }: Team, orgId: number, org: string): ObservedResource => ({
  type: "team",
  externalId: String(id),
  name: `${org}/${slug}`,
  parent: { type: "owner", externalId: String(orgId) },
  attributes: { displayName: name },
});
