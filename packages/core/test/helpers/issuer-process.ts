import { Provider } from "oidc-provider";
import type { IssuerSetting } from "./servers.js";

/** An external OIDC issuer, as a separate process. Its clients get JWTs for `audience` with the given claims. */
const { port, audience, clients, keys } = JSON.parse(process.argv[2] as string) as IssuerSetting;

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: Object.entries(clients).map(([client_id, { secret }]) => ({
    client_id,
    client_secret: secret,
    grant_types: ["client_credentials"],
    redirect_uris: [],
    response_types: [],
  })),
  jwks: { keys },
  cookies: { keys: ["only for this test"] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      getResourceServerInfo: () => ({ scope: "", audience, accessTokenFormat: "jwt", accessTokenTTL: 600 }),
    },
  },
  extraTokenClaims: (_ctx: unknown, token: { clientId: string }) => clients[token.clientId]?.claims,
});
provider.listen(port, "127.0.0.1", () => process.stdout.write("ready\n"));
