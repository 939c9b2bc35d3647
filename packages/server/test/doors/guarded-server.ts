import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type McpTestServer, startMcpServer } from "@reeve/testkit/mcp";
import { freePort } from "@reeve/testkit/postgres";
import { createRemoteJWKSet, exportJWK, generateKeyPair, type JWTPayload, jwtVerify } from "jose";
import { errors, Provider } from "oidc-provider";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const SCOPES = ["files:read", "files:write"];

/** An MCP server whose calls need an access token of its own authorization server. */
export interface GuardedServer {
  readonly issuer: string;
  readonly mcp: McpTestServer;
  /** The assertions that the authorization server has accepted. */
  readonly accepted: readonly JWTPayload[];
  stop(): Promise<void>;
}

/**
 * Starts `oidc-provider` as the authorization server, with a grant that accepts assertions of `trusted` for one client, and
 * a real MCP server that accepts its access tokens, and `scanToken` for scans.
 */
export async function startGuardedServer(
  trusted: string,
  client: { readonly id: string; readonly secret: string },
  scanToken: string,
): Promise<GuardedServer> {
  const tools = [{ name: "read", description: "It reads a file.", inputSchema: { type: "object" } }];
  const mcp = await startMcpServer({ tools, callable: true });
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const accepted: JWTPayload[] = [];
  const provider = await authorizationServer({ issuer, trusted, client, resource: mcp.url, accepted });
  const server = createServer(provider.callback());
  server.listen(Number(new URL(issuer).port), "127.0.0.1");
  await once(server, "listening");
  guard(mcp, issuer, scanToken);
  return {
    ...{ issuer, mcp, accepted },
    async stop() {
      await mcp.stop();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Setting {
  readonly issuer: string;
  readonly trusted: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly resource: string;
  readonly accepted: JWTPayload[];
}

async function authorizationServer({ issuer, trusted, client, resource, accepted }: Setting): Promise<Provider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const info = { scope: SCOPES.join(" "), audience: resource, accessTokenFormat: "jwt", accessTokenTTL: 60 };
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: client.id, client_secret: client.secret, grant_types: [JWT_BEARER] },
        ...{ redirect_uris: [], response_types: [], token_endpoint_auth_method: "client_secret_basic" },
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "first" }] },
    cookies: { keys: ["only for this test"] },
    scopes: SCOPES,
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: true, defaultResource: () => resource, getResourceServerInfo: () => info },
    },
  });
  // As its own metadata says.
  const metadata = (await (await fetch(`${trusted}/.well-known/oauth-authorization-server`)).json()) as {
    readonly jwks_uri: string;
  };
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
  const seen = new Set<unknown>();
  provider.registerGrantType(
    JWT_BEARER,
    async (ctx) => {
      const { payload } = await jwtVerify(ctx.oidc.params.assertion ?? "", keys, {
        ...{ typ: "oauth-id-jag+jwt", issuer: trusted, audience: issuer, maxTokenAge: "5 minutes" },
        requiredClaims: ["sub", "tenant", "client_id", "jti", "exp", "resource"],
      }).catch((error: unknown) => {
        throw new errors.InvalidGrant(String(error));
      });
      const isOwn = payload.client_id === ctx.oidc.client.clientId && payload.resource === resource;
      if (!isOwn || seen.has(payload.jti)) throw new errors.InvalidGrant("the assertion is not for this client");
      seen.add(payload.jti);
      accepted.push(payload);
      const { sub: accountId, scope } = payload;
      const token = new provider.AccessToken({ accountId, scope, client: ctx.oidc.client, gty: "jwt_bearer" });
      token.resourceServer = new provider.ResourceServer(resource, info);
      const access_token = await token.save();
      ctx.body = { access_token, scope, expires_in: token.expiration, token_type: token.tokenType };
    },
    ["assertion", "scope", "resource"],
  );
  return provider;
}

/** Lets nobody to a server without an access token that has the scope to read. */
function guard(mcp: McpTestServer, issuer: string, scanToken: string): void {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const metadata = new URL("/.well-known/oauth-protected-resource/mcp", mcp.url);
  const isGood = async (token: string): Promise<boolean> => {
    if (token === scanToken) return true;
    const { payload } = await jwtVerify(token, keys, { typ: "at+jwt", issuer, audience: mcp.url });
    return String(payload.scope).split(" ").includes("files:read");
  };
  const refuse = (response: ServerResponse) =>
    response
      .writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata.href}", scope="files:read"` })
      .end();
  const tokenOf = ({ headers }: IncomingMessage) => headers.authorization?.replace(/^Bearer /, "") ?? "";
  mcp.behave((request, response, server) => {
    if (request.url === metadata.pathname) {
      const body = { resource: mcp.url, authorization_servers: [issuer], scopes_supported: SCOPES };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      return;
    }
    isGood(tokenOf(request)).then(
      (good) => (good ? server(request, response) : refuse(response)),
      () => refuse(response),
    );
  });
}
