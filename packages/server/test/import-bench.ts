import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { expect } from "vitest";
import { runCommand } from "./run-command.js";
import { ServerProcess } from "./server-process.js";

export const account = { username: "ada@acme.example", password: "violet tram at noon" };

/** A directory with the store of one tenant, in which to run imports. */
export interface ImportBench {
  readonly directory: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly tenantId: string;
  readonly userId: string;
  readonly port: string;
  /** Runs `reeve import <args>` as the account. */
  run(...args: string[]): Promise<{ code: number; said: string; output: string }>;
  /** The same with `--json`, of which it reads the line. */
  report(...args: string[]): Promise<{ code: number; said: string; report: Record<string, unknown> }>;
  write(name: string, ...lines: readonly (object | string)[]): void;
}

/** Makes a store with the tenant Acme. Returns it with what removes it. */
export async function importBench(): Promise<[ImportBench, () => void]> {
  const directory = mkdtempSync(join(tmpdir(), "reeve-import-"));
  const port = String(await freePort());
  const settings = { REEVE_MASTER_KEY: randomBytes(32).toString("base64") };
  const server = await ServerProcess.spawn(directory, { ...settings, PORT: port }).ready();
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ organization: "Acme Insurance", subdomain: "acme", ...account }),
  });
  const { tenantId, userId } = (await response.json()) as { tenantId: string; userId: string };
  expect(await server.stop("SIGTERM")).toBe(0);
  const run = async (...args: string[]) => {
    const who = args.includes("--tenant") ? [] : ["--tenant", "acme", "--user", account.username];
    const { code, errors, output } = await runCommand(["import", ...args, ...who], directory, settings);
    return { code, said: errors, output };
  };
  const bench: ImportBench = {
    ...{ directory, settings, tenantId, userId, port, run },
    async report(...args) {
      const { code, said, output } = await run(...args, "--json");
      expect(output).toMatch(/^[^\n]+\n$/);
      return { code, said, report: JSON.parse(output) };
    },
    write(name, ...lines) {
      const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
      writeFileSync(join(directory, name), `${texts.join("\n")}\n`);
    },
  };
  return [bench, () => rmSync(directory, { recursive: true, force: true })];
}
