import type { ToolSpec } from "@reeve/core/connectors";
import { z } from "zod";
import { readTools } from "./read-tools.js";
import { READERS, type RepositoryTool } from "./tool.js";
import { writeTools } from "./write-tools.js";

/** What lists the repositories of the caller. It is about no single one. */
export const listRepositories: ToolSpec = {
  name: "list_repositories",
  description: "Lists the repositories that the caller has access to.",
  inputSchema: z.toJSONSchema(z.strictObject({})),
  effect: "read",
  idempotent: true,
  requiresProfiles: READERS,
};

export const repositoryTools: readonly RepositoryTool[] = [...readTools, ...writeTools];

export const TOOLS: readonly ToolSpec[] = [listRepositories, ...repositoryTools.map(({ spec }) => spec)];
