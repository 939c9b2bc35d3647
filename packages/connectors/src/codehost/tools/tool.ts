import type { ToolResult, ToolSpec } from "@reeve/core/connectors";
import { z } from "zod";
import { RepositoryName } from "../../tool-arguments.js";
import type { Api } from "../api.js";
import type { Repository } from "../shapes.js";

/** A tool for one repository, which its caller has access to. */
export interface RepositoryTool {
  readonly spec: ToolSpec;
  readonly input: z.ZodObject;
  run(api: Api, repository: Repository, args: unknown): Promise<ToolResult>;
}

const READERS = ["pull", "triage", "push", "maintain", "admin"];
const WRITERS = ["push", "maintain", "admin"];

interface ToolOf<S extends z.ZodRawShape> extends Pick<ToolSpec, "name" | "description" | "idempotent"> {
  readonly effect: "read" | "write";
  /** Readers may do it, though it writes. */
  readonly forReaders?: boolean;
  readonly input: S;
  run(api: Api, repository: Repository, args: z.output<z.ZodObject<S>>): Promise<ToolResult>;
}

export function repositoryTool<S extends z.ZodRawShape>(tool: ToolOf<S>): RepositoryTool {
  const { name, description, effect, idempotent, forReaders = effect === "read" } = tool;
  const input = z.strictObject({ repository: RepositoryName, ...tool.input });
  return {
    spec: {
      name,
      description,
      effect,
      idempotent,
      inputSchema: z.toJSONSchema(input, { io: "input" }),
      requiresProfiles: forReaders ? READERS : WRITERS,
      ...(effect === "write" ? { supportsDryRun: true } : {}),
    },
    input,
    run: (api, repository, args) => tool.run(api, repository, args as never),
  };
}
