import type { OpenidAttempt, OpenidEngine, OpenidFlow } from "@reeve/core";
import {
  type AuthorizationCodeGrantChecks,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from "openid-client";
import { type Client, clientOf } from "./client.js";
import { refusalOf } from "./refusals.js";
import type { OpenidSettings } from "./settings.js";

type Outside = Parameters<OpenidEngine["connect"]>[0];

const SCOPES = ["openid", "email", "profile"];

/** The code flow with PKCE at some providers. */
export function codeFlow(providers: readonly OpenidSettings[], outside: Outside): OpenidFlow {
  const clients = new Map(providers.map((settings) => [settings.name, clientOf(settings, outside)]));
  const at = (name: string): Client => {
    const client = clients.get(name);
    if (!client) throw new RangeError("there is no such provider");
    return client;
  };
  return {
    async begin(name, attempt, again) {
      const client = at(name);
      try {
        return { url: await addressOf(client, attempt, again) };
      } catch (error) {
        return refusalOf(error);
      }
    },
    async finish(name, attempt, query, claims) {
      const client = at(name);
      try {
        return await redeemed(client, attempt, query, claims);
      } catch (error) {
        return refusalOf(error);
      }
    },
  };
}

async function addressOf({ settings, configured }: Client, attempt: OpenidAttempt, again: boolean): Promise<string> {
  const config = await configured();
  const url = buildAuthorizationUrl(config, {
    redirect_uri: attempt.redirectUri,
    scope: (settings.scopes ?? SCOPES).join(" "),
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
    // With it the provider must also say when it asked.
    ...(again ? { max_age: "0" } : {}),
  });
  if (url.protocol !== "https:" && url.protocol !== new URL(settings.issuer).protocol)
    throw new TypeError("the authorization endpoint is not https");
  return url.href;
}

async function redeemed({ configured }: Client, attempt: OpenidAttempt, query: string, claims: readonly string[]) {
  const config = await configured();
  const checks: AuthorizationCodeGrantChecks = {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.verifier,
    idTokenExpected: true,
  };
  const tokens = await authorizationCodeGrant(config, new URL(`${attempt.redirectUri}?${query}`), checks);
  const said = tokens.claims();
  if (!said || tokens.id_token === undefined) throw new TypeError("the answer has no ID token");
  const lacks = claims.some((name) => said[name] === undefined);
  const asks = lacks && config.serverMetadata().userinfo_endpoint !== undefined;
  const more = asks ? await fetchUserInfo(config, tokens.access_token, said.sub) : {};
  return { idToken: tokens.id_token, more };
}
