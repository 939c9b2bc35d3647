import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@reeve/testkit/postgres";
import { Client } from "ldapts";
import type { System } from "./system.js";

const BASE = "dc=acme,dc=test";
const ADMIN = `cn=admin,${BASE}`;
const PASSWORD = "the password of the directory";
const PATIENCE = 20_000;

const PROGRAMS = ["/usr/sbin/slapd", "/usr/local/libexec/slapd", "/opt/homebrew/opt/openldap/libexec/slapd"];
const SCHEMAS = ["/etc/ldap/schema", "/etc/openldap/schema", "/opt/homebrew/etc/openldap/schema"];
const MODULES = ["/usr/lib/ldap", "/usr/lib64/openldap", "/usr/lib/openldap"];

/** A real OpenLDAP with entries of services; `undefined` where slapd is not installed. */
export async function startDirectory(): Promise<System | undefined> {
  const program = PROGRAMS.find(existsSync);
  if (!program) return undefined;
  const home = mkdtempSync(join(tmpdir(), "reeve-tour-directory-"));
  const port = await freePort();
  mkdirSync(join(home, "db"));
  writeFileSync(join(home, "slapd.conf"), configurationIn(home), { mode: 0o600 });
  const args = ["-f", join(home, "slapd.conf"), "-h", `ldap://127.0.0.1:${port}/`, "-d", "0"];
  const child = spawn(program, args, { stdio: "ignore" });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill();
    await ended;
    rmSync(home, { recursive: true });
  };
  try {
    await fill(port, () => child.exitCode);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    name: "staff directory",
    providerKey: "ldap",
    about: "an OpenLDAP with two applications and a person",
    configuration: {
      host: "127.0.0.1",
      port,
      tls: "off",
      bindDn: ADMIN,
      baseDn: BASE,
      identityFilter: "(objectClass=applicationProcess)",
    },
    secrets: { password: PASSWORD },
    stop,
  };
}

function configurationIn(home: string): string {
  const modules = MODULES.find(existsSync);
  const schema = SCHEMAS.find(existsSync);
  return `${[
    ...["core", "cosine", "inetorgperson"].map((name) => `include ${schema}/${name}.schema`),
    ...(modules ? [`modulepath ${modules}`, "moduleload back_mdb"] : []),
    "database mdb",
    `suffix "${BASE}"`,
    `rootdn "${ADMIN}"`,
    `rootpw "${PASSWORD}"`,
    `directory ${home}/db`,
  ].join("\n")}\n`;
}

async function fill(port: number, exitCode: () => number | null): Promise<void> {
  const client = await signedIn(port, exitCode);
  try {
    await client.add(BASE, { objectClass: "domain", dc: "acme" });
    for (const [cn, description] of [
      ["claims-triage", "Sorts incoming claims."],
      ["letter-writer", "Writes letters to customers."],
    ] as const)
      await client.add(`cn=${cn},${BASE}`, { objectClass: "applicationProcess", cn, description });
    await client.add(`cn=Grace Hopper,${BASE}`, { objectClass: "person", cn: "Grace Hopper", sn: "Hopper" });
  } finally {
    await client.unbind();
  }
}

async function signedIn(port: number, exitCode: () => number | null): Promise<Client> {
  const client = new Client({ url: `ldap://127.0.0.1:${port}` });
  for (const deadline = Date.now() + PATIENCE; ; await sleep(50)) {
    try {
      await client.bind(ADMIN, PASSWORD);
      return client;
    } catch (error) {
      if (Date.now() > deadline || exitCode() !== null) throw error;
    }
  }
}
