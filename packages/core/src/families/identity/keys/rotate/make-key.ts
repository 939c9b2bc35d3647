import { createPublicKey } from "node:crypto";
import type { CryptoKey, JWK, KeyObject } from "jose";
import { optionsOf } from "#families/options.js";
import { PLATFORM_TENANT } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { jose } from "#kernel/http/jose.js";
import { type SecretPlace, vault } from "#kernel/operation/vault/vault.js";
import { timestamp } from "#ports/clock.js";
import { type SigningKey, signingKeys } from "../schema.js";
import { newPrivateKey } from "./generate.js";

/** A key in a form of the crypto library. */
export type CryptoKeyLike = CryptoKey | KeyObject | Uint8Array;

/** A new key pair of the configured algorithm, with the private half sealed. It is not stored yet. */
export async function makeKey(env: Environment, status: "next" | "active"): Promise<SigningKey> {
  const alg = optionsOf(env).signingAlgorithm;
  const privateKey = await newPrivateKey(alg);
  const nowMs = env.clock.now();
  const id = `key_${env.ids.next(nowMs)}`;
  const createdAt = timestamp(nowMs);
  return {
    id,
    version: 1,
    createdAt,
    status,
    activatedAt: status === "active" ? createdAt : null,
    retiresAt: null,
    alg,
    publicJwk: { ...createPublicKey(privateKey).export({ format: "jwk" }) },
    sealedPrivateJwk: await env.use(vault).seal(sealedPlace(id), JSON.stringify(privateKey.export({ format: "jwk" }))),
  };
}

/** The private half, unsealed. Rejects when it was sealed under another master key. */
export async function privateKeyOf(env: Environment, key: SigningKey): Promise<CryptoKeyLike> {
  const opened = await env.use(vault).open(sealedPlace(key.id), key.sealedPrivateJwk);
  return importKey(JSON.parse(opened) as JWK, key.alg);
}

export function publicKeyOf(key: SigningKey): Promise<CryptoKeyLike> {
  return importKey(key.publicJwk as JWK, key.alg);
}

async function importKey(jwk: JWK, alg: string): Promise<CryptoKeyLike> {
  const { importJWK } = await jose();
  return importJWK(jwk, alg);
}

function sealedPlace(id: string): SecretPlace {
  return { tenantId: PLATFORM_TENANT, collection: signingKeys.name, id, field: "sealedPrivateJwk" };
}
