import type { ToolResult, ToolSpec } from "@reeve/core/connectors";
import { z } from "zod";
import type { Fossil } from "../configuration.js";
import type { Project } from "../repositories.js";

/** A tool for one repository, which the user of its caller is signed in to. */
export interface RepositoryTool {
  readonly spec: ToolSpec;
  readonly input: z.ZodObject;
  run(ctx: Fossil, project: Project, args: unknown): Promise<ToolResult>;
}

export const READERS = ["read", "write", "admin", "setup"];
const WRITERS = ["write", "admin", "setup"];

/** The name that a repository has on the server. */
const RepositoryName = z.string().regex(/^[A-Za-z0-9][\w-]{0,99}$/, "The name of a repository.");

interface ToolOf<S extends z.ZodRawShape> extends Pick<ToolSpec, "name" | "description" | "idempotent"> {
  readonly effect: "read" | "write";
  readonly input: S;
  run(ctx: Fossil, project: Project, args: z.output<z.ZodObject<S>>): Promise<ToolResult>;
}

export function repositoryTool<S extends z.ZodRawShape>(tool: ToolOf<S>): RepositoryTool {
  const { name, description, effect, idempotent } = tool;
  const input = z.strictObject({ repository: RepositoryName, ...tool.input });
  return {
    spec: {
      name,
      description,
      effect,
      idempotent,
      inputSchema: z.toJSONSchema(input, { io: "input" }),
      requiresProfiles: effect === "read" ? READERS : WRITERS,
      ...(effect === "write" ? { supportsDryRun: true } : {}),
    },
    input,
    run: (ctx, project, args) => tool.run(ctx, project, args as never),
  };
}
