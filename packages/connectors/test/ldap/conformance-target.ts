import { createHash, X509Certificate } from "node:crypto";
import type { Principal } from "@reeve/core/connectors";
import type { Access, ConformanceTarget } from "@reeve/testkit/connectors";
import type { Client } from "ldapts";
import { certificateFor } from "../support/certificates.js";
import { BASE, type Directory, PASSWORD, specOf } from "./directory.js";

export const nameOf = (rdn: string) => `${rdn},${BASE}`;
const OPS = "cn=ops";
/** An account that changes members and may not see them. */
export const BLIND = nameOf("cn=blind");
const KEY = {
  text: `ssh-ed25519 ${Buffer.from("a key of ada").toString("base64")} laptop`,
  fingerprint: `SHA256:${createHash("sha256").update("a key of ada").digest("base64").replace(/=+$/, "")}`,
};

/** A kind of directory for the conformance suite. */
export interface Kind {
  readonly admin: string;
  /** What the administrator does meanwhile. */
  readonly as: <T>(directory: Directory, work: (client: Client) => Promise<T>) => Promise<T>;
  /** The attribute with the id that stays. */
  readonly id: "entryUUID" | "nsUniqueId";
  /** Whether its schema has keys of SSH. */
  readonly sshKeys: boolean;
}

/** Fills a new directory, and is the target of the conformance suite. `BLIND` may change members and see none. */
export async function conformanceTarget(directory: Directory, kind: Kind): Promise<ConformanceTarget> {
  await directory.add("cn=blind", { objectClass: ["person"], cn: "blind", sn: "blind", userPassword: PASSWORD });
  let bindDn = kind.admin;
  const [ada, grace, linus] = [
    await directory.person("ada"),
    await directory.person("grace"),
    await directory.person("linus"),
  ];
  const ops = await directory.group("ops", [nameOf("uid=linus")]);
  await directory.group("all", [nameOf(OPS), nameOf("uid=linus")]);
  const own = new X509Certificate((await certificateFor(["ada.acme.test"])).cert);
  await directory.credentials("uid=ada", kind.sshKeys ? { sshKeys: [KEY.text] } : { certificates: [own.raw] });
  const certificate = await certificateFor(["grace.acme.test"]);
  await directory.credentials("uid=grace", { certificates: [new X509Certificate(certificate.cert).raw] });
  await directory.group("shell", ["grace"], "posixGroup");
  let others = 0;
  return {
    address: { host: "127.0.0.1", port: directory.port },
    config: ({ host, port }) => ({ ...directory.config, identityFilter: "(uid=*)", host, port, bindDn }),
    secrets: { password: PASSWORD },
    wrongSecrets: { password: "wrong-password-of-somebody" },
    async reset() {
      bindDn = kind.admin;
      await directory.rename("cn=renamed", "cn=all").catch(() => undefined);
      await replaceMembers(directory, kind, [nameOf("uid=linus")]);
    },
    async observe() {
      const groups = await groupsOf(directory, kind);
      return {
        resources: { group: groups.map(({ id }) => id) },
        access: groups.flatMap(({ access }) => access),
        credentials: [
          kind.sshKeys ? KEY.fingerprint : own.fingerprint256,
          new X509Certificate(certificate.cert).fingerprint256,
        ],
      };
    },
    principals: {
      there: { type: "user", named: "grace" },
      found: { externalId: grace, displayName: "grace" },
      missing: "graces",
    },
    credentials: {
      principals: [
        { type: "user", externalId: ada },
        { type: "user", externalId: grace },
      ],
    },
    rename: () => directory.rename("cn=all", "cn=renamed"),
    access: {
      wanted: [specOf(ops, ada), specOf(ops, grace)],
      nowhere: specOf("00000000-0000-0000-0000-000000000000", ada),
      foreign: specOf(ops, linus),
      async interfere() {
        others += 1;
        const id = await directory.person(`other-${others}`);
        const members = await directory.members(OPS);
        await replaceMembers(directory, kind, [...members, nameOf(`uid=other-${others}`)]);
        return specOf(ops, id);
      },
      async hide() {
        bindDn = BLIND;
      },
    },
    close: () => directory.stop(),
  };
}

function replaceMembers(directory: Directory, kind: Kind, values: readonly string[]): Promise<void> {
  return kind.as(directory, async (client) => {
    const { Attribute, Change } = await import("ldapts");
    const modification = new Attribute({ type: "member", values: [...values] });
    await client.modify(nameOf(OPS), new Change({ operation: "replace", modification }));
  });
}

/** The groups and their own members, read by the administrator. */
function groupsOf(
  directory: Directory,
  kind: Kind,
): Promise<readonly { readonly id: string; readonly access: readonly Access[] }[]> {
  return kind.as(directory, async (client) => {
    const attributes = [kind.id, "objectClass", "member", "memberUid"];
    const { searchEntries: entries } = await client.search(BASE, { attributes });
    const textsOf = (entry: (typeof entries)[number], name: string) => [entry[name] ?? []].flat() as string[];
    const isGroup = (entry: (typeof entries)[number]) =>
      ["groupOfNames", "posixGroup"].some((kind) => textsOf(entry, "objectClass").includes(kind));
    const named = new Map(entries.map((entry) => [entry.dn, entry]));
    return entries.filter(isGroup).map((group) => {
      const names = [...textsOf(group, "member"), ...textsOf(group, "memberUid").map((uid) => nameOf(`uid=${uid}`))];
      const access = names.map((name): Access => {
        const member = named.get(name) as (typeof entries)[number];
        const principal: Pick<Principal, "type" | "externalId"> = {
          type: isGroup(member) ? "group" : "user",
          externalId: member[kind.id] as string,
        };
        return {
          resource: { type: "group", externalId: group[kind.id] as string },
          profileExternalId: "member",
          principal,
        };
      });
      return { id: group[kind.id] as string, access };
    });
  });
}
