import { ConnectorError, type DiscoveredAsset, type Page, type PageRequest } from "@reeve/core/connectors";
import { discoverInRepositories, type ListedRepository, type PageEnd } from "../repository-files/discover.js";
import type { Snapshot } from "../repository-files/file.js";
import { type Api, apiOf } from "./api.js";
import type { CodeHost } from "./configuration.js";
import { type RepositoryPlace, repositoriesOn } from "./resources.js";
import type { Repository } from "./shapes.js";
import { isEmpty, snapshotOf, textOf } from "./snapshot.js";

/** Finds AI on the default branch of each repository. */
export async function discoverAssets(ctx: CodeHost, page: PageRequest): Promise<Page<DiscoveredAsset>> {
  const api = await apiOf(ctx);
  return discoverInRepositories((from) => repositoriesFrom(ctx, api, from), page);
}

/** A position is the page, the place on it, and the last repository of the page before, by which a move is noticed. */
async function* repositoriesFrom(ctx: CodeHost, api: Api, from = "1.0"): AsyncGenerator<ListedRepository | PageEnd> {
  const [, first, start, before] = /^([1-9]\d{0,6})\.(\d{1,3})(?:\.(\d{1,15}))?$/.exec(from) ?? [];
  if (!first) throw new ConnectorError("invalid", "The cursor is not one of this listing.", { code: "cursor" });
  const last = before === undefined ? undefined : Number(before);
  let [at, index]: [RepositoryPlace | undefined, number] = [{ page: Number(first), last }, Number(start)];
  while (at !== undefined) {
    const { items, rejected, next, end }: Awaited<ReturnType<typeof repositoriesOn>> = await repositoriesOn(
      ctx,
      api,
      at,
    );
    for (; index < items.length; index += 1) yield listed(api, items[index] as Repository, spelled(at, index));
    yield { rejected, ...(next ? { next: spelled(next, 0) } : { end }) };
    [at, index] = [next, 0];
  }
}

const spelled = ({ page, last }: RepositoryPlace, index: number) =>
  [page, index, ...(last === undefined ? [] : [last])].join(".");

const listed = (api: Api, repository: Repository, position: string): ListedRepository => ({
  id: String(repository.id),
  position,
  open: () => opened(api, repository),
  read: (file) => textOf(api, repository, file),
});

/** A host that shows no commit may mean that there is none, or that it does not show the repository any more. */
async function opened(api: Api, repository: Repository): Promise<Snapshot | null> {
  const { default_branch: branch } = repository;
  const snapshot = branch === undefined ? null : await snapshotOf(api, repository, branch);
  if (!snapshot && !(await isEmpty(api, repository)))
    throw new ConnectorError("not_found", "The repository has branches, and not the one that it is said to have.");
  return snapshot;
}
