import { ConnectorError, type DiscoveredAsset, type Page, type PageRequest } from "@reeve/core/connectors";
import { discoverInRepositories, type ListedRepository } from "../repository-files/discover.js";
import { FILE_LIMITS } from "../repository-files/limits.js";
import type { Fossil } from "./configuration.js";
import { projectAt } from "./repositories.js";
import { artifact, snapshotOf } from "./snapshot.js";

/** Finds AI in the newest check-in of each repository. */
export async function discoverAssets(ctx: Fossil, page: PageRequest): Promise<Page<DiscoveredAsset>> {
  return discoverInRepositories((from) => repositoriesFrom(ctx, from), page);
}

/** A position is the place in the configuration. */
async function* repositoriesFrom(ctx: Fossil, from = "0"): AsyncGenerator<ListedRepository> {
  if (!/^\d{1,3}$/.test(from))
    throw new ConnectorError("invalid", "The cursor is not one of this listing.", { code: "cursor" });
  for (let at = Number(from); at < ctx.config.repositories.length; at += 1) {
    const project = await projectAt(ctx, ctx.config.repositories[at] as string);
    yield {
      id: project.code,
      position: String(at),
      open: () => snapshotOf(ctx, project),
      read: ({ key }) => artifact(ctx, project, key, FILE_LIMITS.bytes),
    };
  }
}
