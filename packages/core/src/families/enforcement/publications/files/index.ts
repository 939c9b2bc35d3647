import type { PublishedClient } from "../fields.js";
import { claudeCode } from "./claude-code.js";
import { codex } from "./codex.js";
import { copilot } from "./copilot.js";
import type { Format } from "./format.js";
import { geminiCli } from "./gemini-cli.js";

/** How files of each client are written. */
export const formats: Readonly<Record<PublishedClient, Format>> = {
  "claude-code": claudeCode,
  codex,
  copilot,
  "gemini-cli": geminiCli,
};
