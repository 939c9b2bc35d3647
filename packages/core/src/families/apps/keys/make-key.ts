import type { Environment } from "#kernel/config/environment.js";
import { type SecretPlace, vault } from "#kernel/operation/vault/vault.js";
import { timestamp } from "#ports/clock.js";
import type { SamlSigner } from "#ports/saml.js";
import { engineOf } from "../engine/use-engine.js";
import { type SamlKeyRecord, samlKeys } from "./schema.js";

/** Days that a certificate holds. Applications pin it, so it is replaced by a rotation and not by its end. */
const DAYS = 1_095;

const placeOf = (tenantId: string, id: string): SecretPlace => ({
  tenantId,
  collection: samlKeys.name,
  id,
  field: "sealedPrivateKey",
});

/** A new key of a tenant with its private half sealed. It is not stored yet. */
export async function makeSamlKey(
  env: Environment,
  tenantId: string,
  status: "next" | "active",
): Promise<SamlKeyRecord> {
  const nowMs = env.clock.now();
  const id = `samk_${env.ids.next(nowMs)}`;
  const { privateKey, ...certificate } = await engineOf(env).newKey(
    `${new URL(env.options.baseUrl).hostname} ${tenantId.slice(-6)}`,
    nowMs,
    DAYS,
  );
  const createdAt = timestamp(nowMs);
  return {
    id,
    version: 1,
    createdAt,
    ...certificate,
    status,
    activatedAt: status === "active" ? createdAt : null,
    retiresAt: null,
    sealedPrivateKey: await env.use(vault).seal(placeOf(tenantId, id), privateKey),
  };
}

/** What signs, unsealed. */
export async function signerOf(env: Environment, tenantId: string, key: SamlKeyRecord): Promise<SamlSigner> {
  const privateKey = await env.use(vault).open(placeOf(tenantId, key.id), key.sealedPrivateKey);
  return { privateKey, certificate: key.certificate };
}
