import type { HookClient } from "../../hooks/fields.js";
import type { Category, ClientPack } from "../fields.js";
import { claudeCode } from "./claude-code.js";
import { codex } from "./codex.js";
import { cursor } from "./cursor.js";
import { geminiCli } from "./gemini-cli.js";

/** The tools of each client, one version of it in a file. */
export const PACKS: Readonly<Record<HookClient, ClientPack>> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  cursor,
};

const CATEGORIES = new Map(
  Object.values(PACKS).map(({ client, tools }) => [
    client,
    new Map(tools.map(({ toolName, category }) => [toolName, category])),
  ]),
);

/** What a tool of a client does. `undefined` for one that its pack does not have. */
export const categoryOf = (client: HookClient, toolName: string): Category | undefined =>
  CATEGORIES.get(client)?.get(toolName);
