import { Issuer } from "../../../packages/server/test/issuer.js";

/** Starts a real OpenID provider that gives Grace, an AI admin, a token. Returns its address and the token. */
export async function pageIssuer(audience: string): Promise<{ readonly url: string; readonly token: string }> {
  const grace = { email: "grace@acme.example", email_verified: true, name: "Grace Hopper", groups: ["AI Admins"] };
  const issuer = await Issuer.at(audience, { grace });
  await issuer.start();
  return { url: issuer.url, token: await issuer.tokenOf("grace") };
}
