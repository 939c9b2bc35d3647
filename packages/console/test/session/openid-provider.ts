import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { type Interaction, Provider } from "oidc-provider";

/** A person whom the provider knows. */
export interface Account {
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
}

/** The `oidc-provider` package on loopback, with a page of its own on which people say who they are. */
export interface RunningProvider {
  readonly issuer: string;
  stop(): Promise<void>;
}

const CLIENT = { client_id: "reeve", client_secret: "a secret of a test" } as const;

/**
 * Starts it with these accounts by their ids, for one client. Its name is another site than the address of the console, as
 * that of a company's provider is.
 */
export async function startProvider(
  accounts: Readonly<Record<string, Account>>,
  redirectUri: string,
): Promise<RunningProvider> {
  let provider: Provider | undefined;
  const server = createServer((request, answer) => {
    if (provider) void answerWith(provider, accounts, request, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri], grant_types: ["authorization_code"] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "first" }] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["only for this test"] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: Interaction) => `/interaction/${uid}` },
    findAccount: (_ctx: unknown, accountId: string) =>
      accounts[accountId] && { accountId, claims: async () => ({ sub: accountId, ...accounts[accountId] }) },
    // The company has agreed for its people.
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  return {
    issuer,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answerWith(
  provider: Provider,
  accounts: Readonly<Record<string, Account>>,
  request: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  if (!request.url?.startsWith("/interaction/")) return provider.callback()(request, answer);
  const chosen = new URL(request.url, "http://localhost").searchParams.get("as");
  if (chosen === "nobody")
    return provider.interactionFinished(request, answer, { error: "access_denied", error_description: "<b>no</b>" });
  if (chosen !== null) return provider.interactionFinished(request, answer, { login: { accountId: chosen } });
  const links = [...Object.keys(accounts), "nobody"].map((id) => `<p><a href="?as=${id}">${id}</a></p>`);
  answer.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  answer.end(
    `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><h1>Who are you?</h1>${links.join("")}</html>`,
  );
}
