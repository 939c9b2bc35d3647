import { createPublicKey } from "node:crypto";
import type { JWK } from "jose";
import { type JsonWebKeySet, SIGNATURE_ALGORITHMS } from "#kernel/http/json-web-keys.js";

/** What is wrong with the keys that verify agent cards. `undefined` when they are usable. */
export function agentCardKeysFault(set: JsonWebKeySet): string | undefined {
  if (!Array.isArray(set.keys)) return "must be a JWK Set";
  const keys = set.keys as readonly JWK[];
  const kids = keys.map(({ kid }) => kid);
  if (new Set(kids).size < kids.length) return "must not name a `kid` twice";
  return keys.map(faultOf).find((fault) => fault !== undefined);
}

function faultOf(key: JWK): string | undefined {
  if (!key.kid) return "needs a `kid` for each key";
  if (key.kty === "oct" || key.d !== undefined) return `must hold public keys only ("${key.kid}" is not)`;
  if (key.alg !== undefined && !SIGNATURE_ALGORITHMS.includes(key.alg)) return `cannot use the \`alg\` of "${key.kid}"`;
  try {
    createPublicKey({ key: key as never, format: "jwk" });
    return undefined;
  } catch {
    return `has a key that is none ("${key.kid}")`;
  }
}
