import { z } from "#schema/z.js";

/** Clients that run agents and ask. Files are written for each of the first six. */
export const CLIENTS = ["claude-code", "codex", "copilot", "gemini-cli", "vscode", "cursor", "sdk", "gateway"] as const;
export type Client = (typeof CLIENTS)[number];

export const ClientName = z.enum(CLIENTS).meta({ description: "The program that runs the agent.", example: "codex" });
