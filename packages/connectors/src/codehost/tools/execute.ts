import { ConnectorError, type GrantSpec, type ToolCall, type ToolResult } from "@reeve/core/connectors";
import { done, OF_THE_CALL, refused } from "../../tool-results.js";
import { type Api, apiOf } from "../api.js";
import type { CodeHost } from "../configuration.js";
import { orMissing, repositoryOf } from "../lookups.js";
import { Repository } from "../shapes.js";
import { listRepositories, repositoryTools } from "./specs.js";

const MOST_REPOSITORIES = 50;

/** Runs a tool on a repository that the grants of the call are about, with a role that the tool takes. */
export async function executeTool(ctx: CodeHost, { tool: name, args, grants, dryRun }: ToolCall): Promise<ToolResult> {
  if (name === listRepositories.name) return repositoriesOf(await apiOf(ctx), grants);
  const tool = repositoryTools.find(({ spec }) => spec.name === name);
  if (!tool) return refused("unknown_tool", "There is no such tool.");
  const { data } = tool.input.safeParse(args);
  if (!data) return refused("invalid_arguments", "The arguments do not fit the tool's schema.");
  const api = await apiOf(ctx);
  const repository = await namedRepository(api, String(data.repository));
  if (!repository || !mayUse(repository, grants, tool.spec.requiresProfiles)) return NOT_GRANTED;
  if (dryRun && tool.spec.effect !== "read") return done({ dryRun: true });
  try {
    return await tool.run(api, repository, data);
  } catch (error) {
    if (!ConnectorError.is(error) || !OF_THE_CALL.has(error.errorClass)) throw error;
    return refused(error.errorClass, error.message);
  }
}

/** The same for what is not there, so that nobody learns names of repositories. */
const NOT_GRANTED = refused("not_granted", "The caller has no such access to this repository.");

const namedRepository = (api: Api, fullName: string) => {
  const [owner, repo] = fullName.split("/");
  return withoutPermission(orMissing(api.read("GET /repos/{owner}/{repo}", { owner, repo }, Repository)));
};

async function withoutPermission<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (ConnectorError.is(error) && error.errorClass === "permission") return undefined;
    throw error;
  }
}

const mayUse = ({ id }: Repository, grants: readonly GrantSpec[], roles: readonly string[]) =>
  grants.some(
    ({ resource, profileExternalId }) =>
      resource.type === "repository" && resource.externalId === String(id) && roles.includes(profileExternalId),
  );

async function repositoriesOf(api: Api, grants: readonly GrantSpec[]): Promise<ToolResult> {
  const roles = new Map(
    grants
      .filter(({ resource }) => resource.type === "repository")
      .map(({ resource, profileExternalId }) => [resource.externalId, profileExternalId]),
  );
  const repositories = [];
  for (const [id, role] of [...roles].slice(0, MOST_REPOSITORIES)) {
    const repository = await withoutPermission(orMissing(repositoryOf(api, id)));
    if (repository) repositories.push({ repository: repository.full_name, private: repository.private, role });
  }
  return done({ repositories, complete: roles.size <= MOST_REPOSITORIES });
}
