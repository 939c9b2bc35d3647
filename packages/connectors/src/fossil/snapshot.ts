import { ConnectorError } from "@reeve/core/connectors";
import { z } from "zod";
import type { Snapshot } from "../repository-files/file.js";
import { filesOf } from "./check-in.js";
import type { Fossil } from "./configuration.js";
import type { Project } from "./repositories.js";
import { addressOf } from "./session.js";

const Folder = z.object({ checkin: z.string().regex(/^[0-9a-f]{40,64}$/) });

/** The files of the newest check-in of a branch, or of one that is named by its hash. */
export async function snapshotOf(ctx: Fossil, project: Project, checkIn = ctx.config.branch): Promise<Snapshot> {
  const { checkin } = await project.session.call(["dir"], { checkin: checkIn }, Folder);
  const files = await filesOf(checkin, async (hash) => {
    const text = await artifact(ctx, project, hash);
    if (text !== undefined) return text;
    throw new ConnectorError("invalid", "A check-in cannot be read.", { code: "shape" });
  });
  return { id: project.code, name: project.name, revision: checkin, files, whole: true };
}

/** What a hash stands for, as text; `undefined` where it has more bytes than are wanted. */
export async function artifact(
  ctx: Fossil,
  { session, name }: Project,
  hash: string,
  most = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  const url = `${addressOf(ctx, name)}/raw/${hash}`;
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
