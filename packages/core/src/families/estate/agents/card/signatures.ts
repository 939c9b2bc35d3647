import type { JSONWebKeySet } from "jose";
import { JWKSMultipleMatchingKeys, JWKSNoMatchingKey } from "jose/errors";
import { canonical } from "#kernel/events/canonical.js";
import { jose } from "#kernel/http/jose.js";
import { type JsonWebKeySet, SIGNATURE_ALGORITHMS } from "#kernel/http/json-web-keys.js";
import { sha256 } from "#store/chain.js";
import type { AgentCard } from "./card.js";

/** The results of verifying the signatures of a card. */
export const SIGNATURE_STATUSES = ["none", "valid", "invalid", "unverified"] as const;
export type SignatureStatus = (typeof SIGNATURE_STATUSES)[number];

/** The signed text: the card in canonical form (RFC 8785) without its signatures. */
function signedText({ signatures: _signatures, ...card }: AgentCard): string {
  return canonical(card);
}

/** SHA-256 of the signed text. It does not depend on signatures. */
export function cardDigest(card: AgentCard): string {
  return sha256(signedText(card));
}

/**
 * Verifies the signatures of a card with the trusted keys of the deployment. Key URLs in signatures are never fetched.
 * `valid`: a trusted key made one. `invalid`: one names a trusted key but does not verify. `unverified`: no signature
 * names a trusted key.
 */
export async function judgeCard(card: AgentCard, trusted: JsonWebKeySet): Promise<SignatureStatus> {
  const signatures = card.signatures ?? [];
  if (signatures.length === 0) return "none";
  const { createLocalJWKSet, flattenedVerify } = await jose();
  const payload = Buffer.from(signedText(card)).toString("base64url");
  const keys = createLocalJWKSet(trusted as unknown as JSONWebKeySet);
  const judged = await Promise.all(
    signatures.map(async ({ protected: header, signature }): Promise<SignatureStatus> => {
      try {
        await flattenedVerify({ protected: header, payload, signature }, keys, { algorithms: SIGNATURE_ALGORITHMS });
        return "valid";
      } catch (error) {
        const unknown = error instanceof JWKSNoMatchingKey || error instanceof JWKSMultipleMatchingKeys;
        return unknown ? "unverified" : "invalid";
      }
    }),
  );
  return (["invalid", "valid"] as const).find((status) => judged.includes(status)) ?? "unverified";
}
