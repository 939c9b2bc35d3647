import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@reeve/client";
import { freePort } from "@reeve/testkit/postgres";
import { runCommand } from "../run-command.js";
import { ServerProcess } from "../server-process.js";

export const PASSWORD = "violet tram at noon";

/** A real server with two tenants, and `reeve` as it is run at a terminal of each of their people. */
export async function startEstate() {
  const directory = mkdtempSync(join(tmpdir(), "reeve-daily-"));
  const PORT = String(await freePort());
  const REEVE_MASTER_KEY = randomBytes(32).toString("base64");
  const settings = { REEVE_MASTER_KEY, PORT, REEVE_RATE_LIMIT: "off", REEVE_TICK_SECONDS: "1" };
  const server = await ServerProcess.spawn(directory, settings).ready();
  const address = `http://127.0.0.1:${PORT}`;
  const nobody = createClient({ baseUrl: address });
  const found = async (organization: string, username: string): Promise<Client> => {
    await nobody.POST("/api/v1/register", { body: { organization, username, password: PASSWORD } });
    return createClient({ baseUrl: address, signIn: { username, password: PASSWORD } });
  };
  const ada = await found("Acme", "ada@acme.example");
  const other = await found("Other", "olga@other.example");
  const hire = (username: string, role: "governance_officer" | "auditor") =>
    ada.POST("/api/v1/users", { body: { username, name: username, password: PASSWORD, roles: [role] } });
  await hire("grace@acme.example", "governance_officer");
  await hire("vic@acme.example", "auditor");
  const run = (args: readonly string[], more: Record<string, string> = {}, input = "") =>
    runCommand(args, directory, { XDG_CONFIG_HOME: join(directory, "config"), ...more }, input);
  const names = {
    ada: "ada@acme.example",
    grace: "grace@acme.example",
    vic: "vic@acme.example",
    olga: "olga@other.example",
  };
  for (const [profile, user] of Object.entries(names)) {
    const { code, errors } = await run(["login", address, "--user", user, "--profile", profile], {}, `${PASSWORD}\n`);
    if (code !== 0) throw new Error(errors);
  }
  return {
    ...{ address, directory, server, ada, other, run },
    /** Runs a command as one of the people. */
    as: (profile: keyof typeof names, ...args: string[]) => run([...args, "--profile", profile]),
    /** The JSON lines of a command. */
    async json(profile: keyof typeof names, ...args: string[]) {
      const { code, output, errors } = await run([...args, "--profile", profile, "--json"]);
      const lines = output.split("\n").filter(Boolean);
      return { code, errors, items: lines.map((line) => JSON.parse(line)) };
    },
    async stop() {
      await server.stop("SIGTERM");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type Estate = Awaited<ReturnType<typeof startEstate>>;
