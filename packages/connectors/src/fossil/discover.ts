import { ConnectorError, type DiscoveredAsset, type Page, type PageRequest } from "@reeve/core/connectors";
import { z } from "zod";
import { discoverInRepositories, type ListedRepository } from "../repository-files/discover.js";
import type { Snapshot } from "../repository-files/file.js";
import { FILE_LIMITS } from "../repository-files/limits.js";
import { filesOf } from "./check-in.js";
import type { Fossil } from "./configuration.js";
import { type Project, projectAt } from "./repositories.js";

const Folder = z.object({ checkin: z.string().regex(/^[0-9a-f]{40,64}$/) });

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

async function snapshotOf(ctx: Fossil, project: Project): Promise<Snapshot | null> {
  const { checkin } = await project.session.call(["dir"], { checkin: ctx.config.branch }, Folder);
  const files = await filesOf(checkin, async (hash) => {
    const text = await artifact(ctx, project, hash);
    if (text !== undefined) return text;
    throw new ConnectorError("invalid", "A check-in cannot be read.", { code: "shape" });
  });
  return { id: project.code, name: project.name, revision: checkin, files, whole: true };
}

/** What a hash stands for, as text; `undefined` where it has more bytes than are wanted. */
async function artifact(
  ctx: Fossil,
  { session, name }: Project,
  hash: string,
  most = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  const url = `${ctx.config.baseUrl.replace(/\/+$/, "")}/${name}/raw/${hash}`;
  const response = await ctx.fetch(url, { headers: { cookie: session.cookie }, redirect: "manual" });
  if (response.status !== 200) {
    await response.body?.cancel();
    // Fossil leads to its page to sign in where something may not be read.
    const errorClass = response.status >= 500 ? "transient" : response.status === 404 ? "not_found" : "permission";
    throw new ConnectorError(errorClass, "Reading a file was refused.", { httpStatus: response.status });
  }
  if (Number(response.headers.get("content-length") ?? 0) > most) {
    await response.body?.cancel();
    return undefined;
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  return bytes.length > most ? undefined : bytes.toString();
}
