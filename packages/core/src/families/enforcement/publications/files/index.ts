import type { PublishedClient } from "../fields.js";
import { claudeCode } from "./claude-code.js";
import { codex } from "./codex.js";
import { copilot } from "./copilot.js";
import { cursor } from "./cursor.js";
import type { Format } from "./format.js";
import { geminiCli } from "./gemini-cli.js";
import { vscode } from "./vscode.js";

/** How files of each client are written. */
export const formats: Readonly<Record<PublishedClient, Format>> = {
  "claude-code": claudeCode,
  codex,
  copilot,
  "gemini-cli": geminiCli,
  vscode,
  cursor,
};
