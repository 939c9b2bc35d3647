import { z } from "#schema/z.js";

/** Clients that run agents and ask. Each of the first four has a hook and files of its own. */
export const CLIENTS = ["claude-code", "codex", "copilot", "gemini-cli", "vscode", "cursor", "sdk", "gateway"] as const;
export type Client = (typeof CLIENTS)[number];

export const ClientName = z.enum(CLIENTS).meta({ description: "The program that runs the agent.", example: "codex" });
