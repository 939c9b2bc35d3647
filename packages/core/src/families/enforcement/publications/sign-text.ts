import { keyRing } from "#families/identity/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { jose } from "#kernel/http/jose.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** Type of the signature, so that it is taken for nothing else. */
const TYPE = "reeve-publication+jws";

type Claims = Readonly<Record<string, unknown>>;

/** Signs claims by the key of now. */
export async function sign(ctx: ReadContext, claims: Claims): Promise<string> {
  const { signing, published } = await ctx.env.use(keyRing).current();
  const { CompactSign } = await jose();
  return new CompactSign(new TextEncoder().encode(textOf(claims, published)))
    .setProtectedHeader({ alg: signing.alg, typ: TYPE, kid: signing.kid })
    .sign(signing.key);
}

/** Whether a signature says just these claims, beside the public keys of now. */
export async function says(ctx: ReadContext, jws: string, claims: Claims): Promise<boolean> {
  const { published } = await ctx.env.use(keyRing).current();
  const { base64url } = await jose();
  return jws.split(".")[1] === base64url.encode(textOf(claims, published));
}

/** The public keys stand beside the claims: who knows one of them learns of the next before it signs. */
const textOf = (claims: Claims, keys: readonly Claims[]): string => canonical({ ...claims, keys });
