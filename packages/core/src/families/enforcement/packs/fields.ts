import { z } from "#schema/z.js";
import { HOOK_CLIENTS } from "../hooks/fields.js";

/** What tools of clients do, as rules may ask for it. */
export const CATEGORIES = ["shell", "edit", "read", "web", "agent", "plan", "schedule"] as const;
export type Category = (typeof CATEGORIES)[number];

export const PackTool = z.object({
  toolName: z.string().meta({ description: "The name by which hooks of the client ask about it." }),
  category: z.enum(CATEGORIES).meta({ description: "What it does, as `resource.properties.category` in rules." }),
  arguments: z.array(z.string()).meta({ description: "Names of its arguments, as far as they are known." }),
});
export type PackTool = z.output<typeof PackTool>;

/** The tools of one version of a client. */
export const ClientPack = z
  .object({
    client: z.enum(HOOK_CLIENTS).meta({ description: "The client whose tools they are." }),
    version: z
      .string()
      .meta({ description: "The version that they were taken from; `documentation`: none was tried." }),
    title: z.string().meta({ description: "The client as people call it." }),
    tools: z.array(PackTool).meta({ description: "Its own tools, without those of MCP servers." }),
  })
  .meta({ id: "ClientPack" });
export type ClientPack = z.output<typeof ClientPack>;

/** A tool of a pack that an agent may use from now on. */
export const LinkedTool = z.object({
  toolName: z.string().meta({ description: "The name by which hooks of the client ask about it." }),
  category: z.enum(CATEGORIES).meta({ description: "What the tool does." }),
  assetId: z.string().meta({ description: "The asset of the tool." }),
  isNew: z.boolean().meta({ description: "Whether it was registered just now." }),
  isLinked: z.boolean().meta({ description: "Whether the agent has begun to use it just now." }),
});
export type LinkedTool = z.output<typeof LinkedTool>;
