import { ConnectorError, type DiscoveredAsset, type Page, type PageRequest } from "@reeve/core/connectors";
import { discoverInRepositories, type ListedRepository } from "../repository-files/discover.js";
import { type Api, apiOf } from "./api.js";
import type { CodeHost } from "./configuration.js";
import { repositoriesOn } from "./resources.js";
import type { Repository } from "./shapes.js";
import { snapshotOf, textOf } from "./snapshot.js";

/** Finds AI on the default branch of each repository. */
export async function discoverAssets(ctx: CodeHost, page: PageRequest): Promise<Page<DiscoveredAsset>> {
  const api = await apiOf(ctx);
  return discoverInRepositories((from) => repositoriesFrom(ctx, api, from), page);
}

/** A position is the page and the place on it. */
async function* repositoriesFrom(ctx: CodeHost, api: Api, from = "1.0"): AsyncGenerator<ListedRepository> {
  const [, first, start] = /^([1-9]\d{0,6})\.(\d{1,3})$/.exec(from) ?? [];
  if (!first) throw new ConnectorError("invalid", "The cursor is not one of this listing.", { code: "cursor" });
  let [page, index]: [number | undefined, number] = [Number(first), Number(start)];
  while (page !== undefined) {
    const { items, next } = await repositoriesOn(ctx, api, page);
    for (; index < items.length; index += 1) yield listed(api, items[index] as Repository, `${page}.${index}`);
    [page, index] = [next, 0];
  }
}

const listed = (api: Api, repository: Repository, position: string): ListedRepository => ({
  id: String(repository.id),
  position,
  open: async () => (repository.default_branch ? snapshotOf(api, repository, repository.default_branch) : null),
  read: (file) => textOf(api, repository, file),
});
