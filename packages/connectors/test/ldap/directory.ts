import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ldap } from "@reeve/connectors/ldap";
import type { GrantSpec, ObservedGrant } from "@reeve/core/connectors";
import { type ConnectorPartsOptions, connectorCalls, connectorParts, listAll } from "@reeve/testkit/connectors";
import { freePort } from "@reeve/testkit/postgres";
import { program } from "@reeve/testkit/programs";
import { Attribute, Change, Client } from "ldapts";
import { vi } from "vitest";
import { type Certificate, certificateFor } from "../support/certificates.js";

export const slapd = program("slapd", "slapd");
export const connector = ldap();
export const ALLOW = ["127.0.0.1/32"];
export const BASE = "dc=acme,dc=test";
export const ADMIN = `cn=admin,${BASE}`;
export const PASSWORD = "s3cret-of-the-directory";

/** A real directory, seen by its administrator. */
export interface Directory {
  readonly port: number;
  readonly securePort: number;
  readonly certificate: Certificate;
  /** Adds an entry below the base. Returns its id. */
  add(rdn: string, attributes: Record<string, string | string[]>): Promise<string>;
  /** Adds a person, and returns the id. */
  person(uid: string): Promise<string>;
  /** Adds a group of names or of uids, and returns its id. */
  group(cn: string, members: readonly string[], kind?: keyof typeof KINDS): Promise<string>;
  rename(rdn: string, to: string): Promise<void>;
  /** Sets what somebody can sign in with. */
  credentials(rdn: string, given: { certificates?: readonly Buffer[]; sshKeys?: readonly string[] }): Promise<void>;
  remove(rdn: string): Promise<void>;
  /** Members as the directory has them. */
  members(rdn: string, attribute?: string): Promise<readonly string[]>;
  config: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

const KINDS = {
  groupOfNames: "member",
  groupOfUniqueNames: "uniqueMember",
  posixGroup: "memberUid",
} as const;

const first = (paths: readonly string[]) => paths.find((path) => existsSync(path));

/** `lines` are further ones of the configuration. */
export async function startDirectory(lines: readonly string[] = []): Promise<Directory> {
  const home = mkdtempSync(join(tmpdir(), "reeve-slapd-"));
  const certificate = await certificateFor(["ldap.acme.test", "127.0.0.1"]);
  const [port, securePort] = [await freePort(), await freePort()];
  writeConfiguration(home, certificate, lines);
  const urls = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${securePort}/`;
  const child = startServer(slapd.path as string, ["-f", join(home, "slapd.conf"), "-h", urls, "-d", "0"]);
  const client = await administrator(port, ADMIN);
  await client.add(BASE, { objectClass: "domain", dc: "acme" });
  return directoryOf(client, { port, securePort, certificate, admin: ADMIN }, async () => {
    await child.stop();
    rmSync(home, { recursive: true });
  });
}

/** Starts a server that ends with the tests. */
export function startServer(path: string, args: readonly string[]): { stop(): Promise<void> } {
  const child = spawn(path, args, { stdio: "ignore" });
  const endWithUs = () => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  return {
    async stop() {
      process.off("exit", endWithUs);
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Signs in as the administrator, once the server listens. */
export async function administrator(port: number, name: string): Promise<Client> {
  const client = new Client({ url: `ldap://127.0.0.1:${port}` });
  await vi.waitFor(() => client.bind(name, PASSWORD), { timeout: 20_000, interval: 20 });
  return client;
}

/** A directory that runs, through the connection of its administrator. */
export function directoryOf(
  client: Client,
  at: Pick<Directory, "port" | "securePort" | "certificate"> & { readonly admin: string },
  stop: () => Promise<void>,
): Directory {
  const { port, securePort, certificate, admin } = at;
  let numbers = 1_000;
  const directory: Directory = {
    port,
    securePort,
    certificate,
    async add(rdn, attributes) {
      const dn = `${rdn},${BASE}`;
      await client.add(dn, attributes);
      const ids = ["nsUniqueId", "entryUUID"];
      const { searchEntries } = await client.search(dn, { scope: "base", attributes: ids });
      return ids.flatMap((name) => searchEntries[0]?.[name] ?? [])[0] as string;
    },
    person(uid) {
      numbers += 1;
      return directory.add(`uid=${uid}`, {
        objectClass: ["inetOrgPerson", "posixAccount"],
        cn: uid,
        sn: uid,
        uidNumber: String(numbers),
        gidNumber: "1",
        homeDirectory: "/",
      });
    },
    group(cn, members, kind = "groupOfNames") {
      const attributes: Record<string, string | string[]> = { objectClass: kind };
      if (members.length > 0) attributes[KINDS[kind]] = [...members];
      numbers += 1;
      if (kind === "posixGroup") attributes.gidNumber = String(numbers);
      return directory.add(`cn=${cn}`, attributes);
    },
    rename: (rdn, to) => client.modifyDN(`${rdn},${BASE}`, to),
    async credentials(rdn, { certificates = [], sshKeys }) {
      const change = (type: string, values: Buffer[] | string[]) =>
        new Change({ operation: "replace", modification: new Attribute({ type, values }) });
      const dn = `${rdn},${BASE}`;
      await client.modify(dn, change("userCertificate;binary", [...certificates]));
      if (!sshKeys) return;
      await client.modify(dn, change("objectClass", ["inetOrgPerson", "posixAccount", "ldapPublicKey"]));
      await client.modify(dn, change("sshPublicKey", [...sshKeys]));
    },
    remove: (rdn) => client.del(`${rdn},${BASE}`),
    async members(rdn, attribute = "member") {
      const { searchEntries } = await client.search(`${rdn},${BASE}`, { scope: "base", attributes: [attribute] });
      return [searchEntries[0]?.[attribute] ?? []].flat() as string[];
    },
    config: { host: "127.0.0.1", port, tls: "off", bindDn: admin, baseDn: BASE },
    async stop() {
      await client.unbind();
      await stop();
    },
  };
  return directory;
}

function writeConfiguration(home: string, { key, cert }: Certificate, lines: readonly string[]): void {
  const schema = first(["/etc/ldap/schema", "/etc/openldap/schema", "/opt/homebrew/etc/openldap/schema"]);
  const modules = first(["/usr/lib/ldap", "/usr/lib64/openldap", "/usr/lib/openldap"]);
  mkdirSync(join(home, "db"));
  writeFileSync(join(home, "server.key"), key, { mode: 0o600 });
  writeFileSync(join(home, "server.crt"), cert);
  const text = [
    ...["core", "cosine", "inetorgperson", "nis"].map((name) => `include ${schema}/${name}.schema`),
    // Of openssh-lpk, which servers do not bring.
    `attributetype ( 1.3.6.1.4.1.24552.500.1.1.1.13 NAME 'sshPublicKey' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 )`,
    `objectclass ( 1.3.6.1.4.1.24552.500.1.1.2.0 NAME 'ldapPublicKey' SUP top AUXILIARY MAY ( sshPublicKey ) )`,
    ...(modules ? [`modulepath ${modules}`, "moduleload back_mdb"] : []),
    `TLSCertificateFile ${home}/server.crt`,
    `TLSCertificateKeyFile ${home}/server.key`,
    "database mdb",
    "maxsize 104857600",
    `suffix "${BASE}"`,
    `rootdn "${ADMIN}"`,
    `rootpw ${PASSWORD}`,
    `directory ${home}/db`,
    "dbnosync",
    ...lines,
  ];
  writeFileSync(join(home, "slapd.conf"), `${text.join("\n")}\n`);
}

export const callsOf = (directory: Directory, options: ConnectorPartsOptions = {}) =>
  connectorCalls(
    connector,
    connectorParts(connector, {
      allow: ALLOW,
      secrets: { password: PASSWORD },
      ...options,
      config: { ...directory.config, ...options.config },
    }),
  );

export const specOf = (group: string, principal: string): GrantSpec => ({
  grantKey: `${group} ${principal}`,
  resource: { type: "group", externalId: group },
  profileExternalId: "member",
  principal: { type: "user", externalId: principal },
  parameters: {},
});

/** The members of a group, as `[inherited ]name`, in order. */
export async function membersOf(directory: Directory, group: string): Promise<string[]> {
  const resource = { type: "group", externalId: group };
  const { items } = await listAll((page) => callsOf(directory).listGrants({ resource }, page));
  return items.map(shown).sort();
}

export const shown = ({ source, principal }: ObservedGrant): string =>
  `${source === "inherited" ? "inherited " : ""}${principal.displayName}`;

/** What somebody else does in the directory at the same time. */
export async function asAdmin<T>({ port }: Directory, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ url: `ldap://127.0.0.1:${port}` });
  try {
    await client.bind(ADMIN, PASSWORD);
    return await work(client);
  } finally {
    await client.unbind();
  }
}
