import type { PublishedClient } from "../fields.js";
import { claudeCode } from "./claude-code.js";
import { codex } from "./codex.js";
import { copilot } from "./copilot.js";
import { geminiCli } from "./gemini-cli.js";
import type { Writer } from "./writer.js";

/** How files of each client are written. */
export const writers: Readonly<Record<PublishedClient, Writer>> = {
  "claude-code": claudeCode,
  codex,
  copilot,
  "gemini-cli": geminiCli,
};
