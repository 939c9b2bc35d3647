import { MASTER_KEY, type Scene } from "@reeve/testkit";
import { importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { collections } from "../../src/index.js";
import { aesSecretBox } from "../../src/ports/secret-box.js";

interface StoredKey {
  readonly id: string;
  readonly publicJwk: JWK;
  readonly sealedPrivateJwk: string;
}

/** Makes tokens with the control plane's own key, so that only what a test bends is wrong with them. */
export async function tokenForge(scene: Pick<Scene, "store">) {
  const collection = collections.find(({ name }) => name === "signing_keys");
  if (!collection) throw new Error("there is no collection of signing keys");
  const [row] = await scene.store.forTenant("platform").scan(collection, { size: 1 });
  const key = row?.value as unknown as StoredKey;
  const opened = aesSecretBox(MASTER_KEY).open(key.sealedPrivateJwk, `signing_keys ${key.id} private`);
  const privateJwk = JSON.parse(opened as string) as JWK;
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
