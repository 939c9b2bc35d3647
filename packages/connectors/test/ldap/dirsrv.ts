import { createHash, randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { program } from "@reeve/testkit/programs";
import type { Client } from "ldapts";
import { certificateFor } from "../support/certificates.js";
import { administrator, BASE, type Directory, directoryOf, PASSWORD, startServer } from "./directory.js";

export const dirsrv = program("ns-slapd", "389-ds-base");
export const MANAGER = "cn=Directory Manager";

const FOLDERS = ["etc", "db", "ldif", "bak", "lock", "log", "run", "tmp"] as const;
const TEMPLATE = "/usr/share/dirsrv/data/template-dse.ldif";

/** 389 Directory Server by the configuration that its package brings, with a suffix made before its second start. */
export async function startDirsrv(): Promise<Directory> {
  const home = mkdtempSync(join(tmpdir(), "reeve-dirsrv-"));
  const port = await freePort();
  writeConfiguration(home, port);
  const start = () => startServer(dirsrv.path as string, ["-D", join(home, "etc"), "-i", join(home, "pid"), "-d", "0"]);
  // Its plug-in for entryUUID is added at the first start and works from the second on: the base has none.
  const first = start();
  const setup = await administrator(port, MANAGER);
  await makeSuffix(setup);
  await setup.unbind();
  await first.stop();
  const server = start();
  const client = await administrator(port, MANAGER);
  const certificate = await certificateFor(["ldap.acme.test"]);
  return directoryOf(client, { port, securePort: 0, certificate, admin: MANAGER }, async () => {
    await server.stop();
    rmSync(home, { recursive: true });
  });
}

async function makeSuffix(client: Client): Promise<void> {
  await client.add("cn=userroot,cn=ldbm database,cn=plugins,cn=config", {
    objectClass: ["top", "extensibleObject", "nsBackendInstance"],
    cn: "userroot",
    "nsslapd-suffix": BASE,
  });
  await client.add(`cn=${BASE.replaceAll("=", "\\3D").replaceAll(",", "\\2C")},cn=mapping tree,cn=config`, {
    objectClass: ["top", "extensibleObject", "nsMappingTree"],
    cn: BASE,
    "nsslapd-state": "backend",
    "nsslapd-backend": "userroot",
  });
  await client.add(BASE, { objectClass: "domain", dc: "acme" });
}

function writeConfiguration(home: string, port: number): void {
  const at = (name: (typeof FOLDERS)[number]) => join(home, name);
  for (const name of FOLDERS) mkdirSync(at(name));
  cpSync("/etc/dirsrv/schema", join(at("etc"), "schema"), { recursive: true });
  for (const file of ["slapd-collations.conf", "certmap.conf"])
    if (existsSync(join("/etc/dirsrv/config", file))) cpSync(join("/etc/dirsrv/config", file), join(at("etc"), file));
  const salt = randomBytes(8);
  const digest = createHash("sha512").update(PASSWORD).update(salt).digest();
  const values: Readonly<Record<string, string>> = {
    ...{ config_dir: at("etc"), cert_dir: at("etc"), schema_dir: join(at("etc"), "schema"), inst_dir: home },
    ...{ db_dir: at("db"), db_home_dir: at("db"), db_lib: "bdb", ldif_dir: at("ldif"), bak_dir: at("bak") },
    ...{ lock_dir: at("lock"), log_dir: at("log"), run_dir: at("run"), tmp_dir: at("tmp") },
    ...{ fqdn: "localhost", ds_port: `${port}\nnsslapd-listenhost: 127.0.0.1`, ds_user: "root", ds_suffix: BASE },
    ...{ rootdn: MANAGER, ds_passwd: `{SSHA512}${Buffer.concat([digest, salt]).toString("base64")}` },
    ...{ ldapi: join(at("run"), "ldapi"), ldapi_enabled: "off", ldapi_autobind: "off" },
  };
  const text = readFileSync(TEMPLATE, "utf8").replaceAll(/%(\w+)%/g, (whole, name: string) => values[name] ?? whole);
  writeFileSync(join(at("etc"), "dse.ldif"), text);
}

/** What the manager does in the directory at the same time. */
export async function asManager<T>({ port }: Directory, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await administrator(port, MANAGER);
  try {
    return await work(client);
  } finally {
    await client.unbind();
  }
}
