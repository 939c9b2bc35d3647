import { createHash, X509Certificate } from "node:crypto";
import {
  type CredentialQuery,
  type ObservedCredential,
  type Page,
  type PageRequest,
  type Principal,
  pageOf,
  type RejectedItem,
} from "@reeve/core/connectors";
import type { Entry } from "ldapts";
import { Text } from "../fields.js";
import { entryOf, valuesOf } from "./entries.js";
import type { Directory } from "./manifest.js";
import { signedIn } from "./session.js";

const CERTIFICATES = "userCertificate;binary";
const SSH_KEYS = "sshPublicKey";
const SSH_KEY = /^(?:ssh|ecdsa|sk)-[a-z0-9@.-]+ ([A-Za-z0-9+/]+={0,2})(?: (.*))?$/s;

type Read = Omit<ObservedCredential, "principal">;

/** Certificates and SSH keys in the entries of some principals, in the order of their fingerprints. */
export async function listCredentials(
  ctx: Directory,
  { principals }: CredentialQuery,
  page: PageRequest,
): Promise<Page<ObservedCredential>> {
  return signedIn(ctx, async (session) => {
    const items: ObservedCredential[] = [];
    const rejected: RejectedItem[] = [];
    for (const principal of principals) {
      const entry = await entryOf(session, ctx, principal.externalId, [CERTIFICATES, SSH_KEYS]);
      const found = entry ? credentialsOf(entry) : [];
      items.push(...usable(found, principal));
      if (found.includes(undefined))
        rejected.push({ externalId: principal.externalId, reason: "A certificate or a key of it cannot be read." });
    }
    return { ...pageOf(items, page), rejected };
  });
}

const usable = (found: readonly (Read | undefined)[], principal: Principal): ObservedCredential[] =>
  found
    .filter((one) => one !== undefined)
    .map((one) => ({ ...one, principal }))
    .sort((one, other) => (one.externalId < other.externalId ? -1 : 1));

/** What an entry can sign in with, beside a password. `undefined` stands for what cannot be read. */
function credentialsOf(entry: Entry): (Read | undefined)[] {
  const held = Object.entries(entry).find(([name]) => name.toLowerCase() === CERTIFICATES.toLowerCase())?.[1] ?? [];
  const certificates = [held].flat().filter((value) => typeof value !== "string" && value.length > 0);
  return [...certificates.map((value) => certificateOf(value as Buffer)), ...valuesOf(entry, SSH_KEYS).map(sshKeyOf)];
}

function certificateOf(value: Buffer): Read | undefined {
  try {
    const { fingerprint256, subject, validFrom, validTo } = new X509Certificate(value);
    const name = subject?.replaceAll("\n", ", ");
    return {
      ...{ externalId: fingerprint256, type: "certificate", ...named(name) },
      ...{ createdAt: new Date(validFrom), expiresAt: new Date(validTo) },
    };
  } catch {
    return undefined;
  }
}

function sshKeyOf(value: string): Read | undefined {
  const [, key, comment] = SSH_KEY.exec(value.trim()) ?? [];
  if (key === undefined) return undefined;
  const fingerprint = createHash("sha256").update(key, "base64").digest("base64").replace(/=+$/, "");
  return { externalId: `SHA256:${fingerprint}`, type: "key", ...named(comment) };
}

const named = (name: string | undefined) => (Text(200).safeParse(name).success ? { name: name as string } : {});
