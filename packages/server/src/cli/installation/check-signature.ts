import type { JSONWebKeySet } from "jose";
import { Failure } from "../../failure.js";
import type { InstallationFile, PinnedKeys } from "./credential-file.js";
import { type Bundle, closedDigestOf } from "./write-bundle.js";

/** What signatures of publications say they are. */
const TYPE = "reeve-publication+jws";

const ADVICE = "Look whether it is your server that answers. To trust its keys anew, run reeve publish --pin";

/** What a bundle is checked against. */
export interface Known {
  readonly installation: InstallationFile;
  /** The publication that was had before. */
  readonly before: Bundle | undefined;
  /** Takes keys and number of the server as they are. */
  readonly pin: boolean;
}

/**
 * Checks that a bundle was signed by a key that this machine knows, for its client, and not before the one it has.
 * Without known keys those of the bundle itself are taken. Returns the keys to be known from now on, which the signature
 * vouches for. Throws a `Failure` for anything else.
 */
export async function checkSignature(bundle: Bundle, { installation, before, pin }: Known): Promise<PinnedKeys> {
  const { compactVerify, createLocalJWKSet, decodeProtectedHeader } = await import("jose");
  const known = pin ? undefined : installation.keys;
  const trusted = known ?? keysIn(bundle);
  const verified = await compactVerify(String(bundle.jws), createLocalJWKSet({ keys: trusted } as JSONWebKeySet)).catch(
    () => undefined,
  );
  if (!verified || decodeProtectedHeader(String(bundle.jws)).typ !== TYPE)
    throw new Failure(`the publication is not signed by a key that this machine knows. ${ADVICE}`);
  const { digest, closedDigest, client, agentId, number, keys } = JSON.parse(
    new TextDecoder().decode(verified.payload),
  );
  const isMeant = digest === bundle.digest && closedDigest === closedDigestOf(bundle) && number === bundle.number;
  if (!isMeant || client !== installation.client || agentId !== bundle.agentId)
    throw new Failure(`the signature is that of another publication. ${ADVICE}`);
  if (!pin && before && before.agentId === agentId && number < before.number)
    throw new Failure(`publication ${number} is older than ${before.number}, which is here. ${ADVICE}`);
  return keys;
}

/** The keys in a signature that nobody has checked. */
function keysIn({ jws }: Bundle): PinnedKeys {
  try {
    const { keys } = JSON.parse(Buffer.from(String(jws).split(".")[1] ?? "", "base64url").toString("utf8"));
    return Array.isArray(keys) ? keys : [];
  } catch {
    return [];
  }
}
