import { ConnectorError, type GrantSpec, type ToolCall, type ToolResult } from "@reeve/core/connectors";
import { done, OF_THE_CALL, refused } from "../../tool-results.js";
import { type Fossil, passwordsIn } from "../configuration.js";
import { type Project, projectAt, projectOf } from "../repositories.js";
import type { Credentials } from "../session.js";
import { listRepositories, repositoryTools } from "./specs.js";

/**
 * Runs a tool as the user that the agent acts as, on a repository that the grants of the call are about, with a role
 * that the tool takes. Fossil refuses whatever the user may not do there, also what it may do no more.
 */
export async function executeTool(ctx: Fossil, call: ToolCall): Promise<ToolResult> {
  const { tool: name, args, dryRun, principal } = call;
  const grants = call.grants.filter(
    (grant) => grant.resource.type === "repository" && grant.principal.externalId === principal.externalId,
  );
  const tool = repositoryTools.find(({ spec }) => spec.name === name);
  if (!tool && name !== listRepositories.name) return refused("unknown_tool", "There is no such tool.");
  const data = tool ? tool.input.safeParse(args).data : {};
  if (!data) return refused("invalid_arguments", "The arguments do not fit the tool's schema.");
  const as = await credentialsOf(ctx, principal.externalId);
  if (!as) return refused("no_credentials", "The connection has no password for the user of the agent.");
  if (!tool) return repositoriesOf(ctx, grants, as);
  const repository = await repositoryOf(ctx, String(data.repository), grants, tool.spec.requiresProfiles);
  if (!repository) return NOT_GRANTED;
  const project = await openedTo(ctx, repository, as);
  if (!("session" in project)) return project;
  if (dryRun && tool.spec.effect !== "read") return done({ dryRun: true });
  try {
    return await tool.run(ctx, project, data);
  } catch (error) {
    if (!ConnectorError.is(error)) throw error;
    if (error.errorClass === "permission")
      return refused("permission", "Fossil refuses this to the user of the agent.");
    if (OF_THE_CALL.has(error.errorClass)) return refused(error.errorClass, error.message);
    throw error;
  }
}

/** The same for what is not there, so that nobody learns names of repositories. */
const NOT_GRANTED = refused("not_granted", "The caller has no such access to this repository.");

async function credentialsOf(ctx: Fossil, name: string): Promise<Credentials | undefined> {
  const password = passwordsIn((await ctx.secret("agentPasswords")) ?? "{}")?.get(name);
  return password === undefined ? undefined : { name, password };
}

/** The name of a repository, where a grant is about it with one of the roles; `undefined` for any other. */
async function repositoryOf(
  ctx: Fossil,
  named: string,
  grants: readonly GrantSpec[],
  roles: readonly string[],
): Promise<string | undefined> {
  for (const { resource, profileExternalId } of grants)
    if (roles.includes(profileExternalId) && (await nameOf(ctx, resource.externalId)) === named) return named;
  return undefined;
}

/** What a repository is called now; `undefined` where it is not there any more. */
async function nameOf(ctx: Fossil, code: string): Promise<string | undefined> {
  try {
    return (await projectOf(ctx, code)).name;
  } catch (error) {
    if (ConnectorError.is(error) && error.errorClass === "not_found") return undefined;
    throw error;
  }
}

/** A repository as a user sees it, or why Fossil does not show it. The connection is not at fault for that. */
async function openedTo(ctx: Fossil, repository: string, as: Credentials): Promise<Project | ToolResult> {
  try {
    return await projectAt(ctx, repository, as);
  } catch (error) {
    if (!ConnectorError.is(error)) throw error;
    if (error.errorClass === "permission") return REFUSED_BY_FOSSIL;
    if (error.errorClass === "auth")
      return refused("sign_in_refused", "Fossil does not take the password of the user of the agent.");
    throw error;
  }
}

const REFUSED_BY_FOSSIL = refused("permission", "Fossil refuses this to the user of the agent.");

async function repositoriesOf(ctx: Fossil, grants: readonly GrantSpec[], as: Credentials): Promise<ToolResult> {
  const roles = new Map(grants.map(({ resource, profileExternalId }) => [resource.externalId, profileExternalId]));
  const repositories = [];
  for (const [code, role] of roles) {
    const repository = await nameOf(ctx, code);
    if (repository !== undefined && "session" in (await openedTo(ctx, repository, as)))
      repositories.push({ repository, role });
  }
  return done({ repositories });
}
