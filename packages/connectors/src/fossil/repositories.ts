import {
  ConnectorError,
  type ObservedProfile,
  type ObservedResource,
  type Page,
  type PageRequest,
  type ProfileQuery,
  pageOf,
} from "@reeve/core/connectors";
import { z } from "zod";
import { pageAfter } from "../page-after.js";
import type { Fossil } from "./configuration.js";
import { PROFILES } from "./roles.js";
import { type Credentials, type Session, signIn } from "./session.js";

const Stat = z.object({
  projectCode: z.string().regex(/^[0-9a-f]{40,64}$/),
  projectName: z.string().max(400).optional(),
});

/** A repository that is signed in to, with the code that it keeps. */
export interface Project {
  readonly session: Session;
  readonly code: string;
  readonly name: string;
}

export async function projectAt(ctx: Fossil, repository: string, as?: Credentials): Promise<Project> {
  const session = await signIn(ctx, repository, as);
  const { projectCode } = await session.call(["stat"], {}, Stat);
  return { session, code: projectCode, name: repository };
}

/**
 * The repository with a code, whatever it is called now. It is looked for first under the name that it had last. Rejects
 * with class `not_found`.
 */
export async function projectOf(ctx: Fossil, code: string): Promise<Project> {
  const key = `repository ${code}`;
  const last = await ctx.state.get(key);
  const others = ctx.config.repositories.filter((name) => name !== last);
  const names = others.length < ctx.config.repositories.length ? [last as string, ...others] : others;
  for (const repository of names) {
    const project = await projectAt(ctx, repository);
    if (project.code !== code) continue;
    if (repository !== last) await ctx.state.put(key, repository);
    return project;
  }
  throw new ConnectorError("not_found", "There is no such repository on the server.", { code: "resource_missing" });
}

export async function listResources(ctx: Fossil, type: string, page: PageRequest): Promise<Page<ObservedResource>> {
  if (type !== "repository")
    throw new ConnectorError("unsupported", "Fossil has no such resources.", { code: "resource_type" });
  const resources: ObservedResource[] = [];
  for (const repository of ctx.config.repositories) {
    const { code, name } = await projectAt(ctx, repository);
    resources.push({ type: "repository", externalId: code, name });
  }
  return pageAfter(resources, ({ externalId }) => externalId, page);
}

export async function listAccessProfiles(
  _ctx: Fossil,
  { resourceType }: ProfileQuery,
  page: PageRequest,
): Promise<Page<ObservedProfile>> {
  return pageOf(resourceType === "repository" ? PROFILES : [], page);
}
