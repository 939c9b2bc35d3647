import type { TrustedIssuer } from "#families/options.js";
import type { Egress } from "#ports/egress.js";
import { z } from "#schema/z.js";
import { KeySet, type UsableKeys, usableKeys } from "./usable-keys.js";

const TIMEOUT = 5_000;

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** What an issuer shows of its keys. */
export interface IssuerKeys {
  /** How many can verify a signature. */
  readonly usable: number;
  /** Keys that are left out, by their place, and why. */
  readonly leftOut: readonly { readonly part: string; readonly reason: string }[];
}

/** Reads the keys of an issuer now, as the verification of its tokens does. Rejects when they cannot be had. */
export async function checkIssuerKeys(egress: Egress, trusted: TrustedIssuer): Promise<IssuerKeys> {
  const { keys, leftOut } = await readUsableKeys(egress, trusted);
  return { usable: keys.length, leftOut };
}

/** Reads the keys of an issuer now, by its metadata unless `jwksUri` names them. Rejects when they cannot be had. */
export async function readUsableKeys(egress: Egress, trusted: TrustedIssuer): Promise<UsableKeys> {
  const { keys } = KeySet.parse(await readJson(egress, trusted.jwksUri ?? (await keysUri(egress, trusted))));
  return usableKeys(keys);
}

async function keysUri(egress: Egress, { issuer }: TrustedIssuer): Promise<string> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const found = Metadata.parse(await readJson(egress, url));
  if (found.issuer !== issuer) throw new Error("the metadata is that of another issuer");
  return found.jwks_uri;
}

async function readJson(egress: Egress, url: string): Promise<unknown> {
  const { status, body } = await egress.request({ url, headers: { accept: "application/json" }, timeoutMs: TIMEOUT });
  if (status !== 200) throw new Error(`the issuer answered ${status}`);
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
}
