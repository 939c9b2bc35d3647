import { createCommandLog } from "../../log.js";
import { checksOf } from "../../service/checks.js";
import type { Finding } from "../../service/finding.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";

/** Checks everything that the settings refer to, with a line per check. Exit code 2 when one finds a fault. */
export async function doctor(invocation: Invocation): Promise<ExitCode> {
  const { output, env } = invocation;
  const settings = settingsOf(invocation);
  const findings: Finding[] = [];
  for (const [check, look] of checksOf(settings, env, createCommandLog("silent"))) {
    output.progress(`checking ${check}`);
    findings.push({ check, ...(await look()) });
  }
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(({ outcome, check, detail }) => `${outcome.padEnd(7)}  ${check.padEnd(width)}  ${detail}`);
  output.lines({ findings }, lines);
  return findings.some(({ outcome }) => outcome === "fault") ? 2 : 0;
}
