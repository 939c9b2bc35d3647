import {
  ConnectorError,
  type ObservedProfile,
  type ObservedResource,
  type Page,
  type PageRequest,
  type ProfileQuery,
  pageOf,
} from "@reeve/core/connectors";
import { type Api, apiOf, PER_PAGE } from "./api.js";
import type { CodeHost } from "./configuration.js";
import { PROFILES } from "./roles.js";
import { Account, Organisation, Repository, Team } from "./shapes.js";

type Owner = Pick<Account, "id" | "login">;

export async function listResources(ctx: CodeHost, type: string, page: PageRequest): Promise<Page<ObservedResource>> {
  const api = await apiOf(ctx);
  if (type === "repository") return listRepositories(ctx, api, page);
  if (type === "team") return pageOf(await teamsOf(ctx, api), page);
  if (type === "owner") return pageOf((await ownersOf(ctx, api)).map(ownerResource), page);
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

/** One page of the repositories that the token sees, oldest first, so that new ones come last. */
export async function repositoriesOn({ config }: CodeHost, api: Api, page: number, perPage = PER_PAGE) {
  const read = await api.page(
    "GET /user/repos",
    { page, per_page: perPage, sort: "created", direction: "asc" },
    Repository,
  );
  return { ...read, items: read.items.filter(({ owner }) => isWanted(config.owners, owner.login)) };
}

async function listRepositories(
  ctx: CodeHost,
  api: Api,
  { cursor, limit }: PageRequest,
): Promise<Page<ObservedResource>> {
  const number = cursor === undefined ? 1 : pageNumber(cursor);
  const { items, rejected, next } = await repositoriesOn(ctx, api, number, Math.min(limit, PER_PAGE));
  return {
    items: items.map(repositoryResource),
    rejected,
    complete: next === undefined,
    ...(next === undefined ? {} : { nextCursor: String(next) }),
  };
}

export function pageNumber(cursor: string): number {
  if (/^[1-9]\d{0,6}$/.test(cursor)) return Number(cursor);
  throw new ConnectorError("invalid", "The cursor is not one of this listing.", { code: "cursor" });
}

/** The account of the token, and the organisations that it is in. */
async function ownersOf({ config }: CodeHost, api: Api): Promise<readonly Owner[]> {
  const [account, organisations] = await Promise.all([
    api.read("GET /user", {}, Account),
    api.all("GET /user/orgs", {}, Organisation),
  ]);
  const owners = [account, ...organisations].filter(({ login }) => isWanted(config.owners, login));
  return owners.sort((one, other) => one.id - other.id);
}

export async function teamsOf({ config }: CodeHost, api: Api): Promise<readonly ObservedResource[]> {
  const organisations = await api.all("GET /user/orgs", {}, Organisation);
  const wanted = organisations.filter(({ login }) => isWanted(config.owners, login));
  const teams: ObservedResource[] = [];
  for (const { id, login } of wanted) {
    const found = await api.all("GET /orgs/{org}/teams", { org: login }, Team);
    teams.push(...found.map((team) => teamResource(team, id, login)));
  }
  return teams.sort((one, other) => Number(one.externalId) - Number(other.externalId));
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
