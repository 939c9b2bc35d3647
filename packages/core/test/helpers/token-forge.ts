import type { World } from "@reeve/testkit";
import { importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { vault } from "#kernel/operation/vault/vault.js";
import { collections } from "#reference/index.js";
import { environmentOf } from "./environment.js";

interface StoredKey {
  readonly id: string;
  readonly status: string;
  readonly publicJwk: JWK;
  readonly sealedPrivateJwk: string;
}

/** Makes tokens with the control plane's own key, so that they are valid except for what a test changes. */
export async function tokenForge(scene: Pick<World, "store" | "clock">, status = "active") {
  const collection = collections.find(({ name }) => name === "signing_keys");
  if (!collection) throw new Error("there is no collection of signing keys");
  const rows = await scene.store.forTenant("platform").scan(collection, { size: 100 });
  const key = rows.map((row) => row.value as unknown as StoredKey).find((stored) => stored.status === status);
  if (!key) throw new Error(`there is no ${status} signing key`);
  const place = { tenantId: "platform", collection: collection.name, id: key.id, field: "sealedPrivateJwk" };
  const opened = await environmentOf(scene).use(vault).open(place, key.sealedPrivateJwk);
  const privateJwk = JSON.parse(opened) as JWK;
  const privateKey = await importJWK(privateJwk, "ES256");
  return {
    kid: key.id,
    publicJwk: key.publicJwk,
    privateJwk,
    sign: (payload: JWTPayload, header: Record<string, unknown> = {}, signingKey: unknown = privateKey) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: key.id, ...header } as { alg: string })
        .sign(signingKey as Parameters<SignJWT["sign"]>[0]),
  };
}

export const encoded = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
