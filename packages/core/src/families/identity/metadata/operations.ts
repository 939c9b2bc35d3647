import { defineOperation } from "#kernel/operation/operation.js";
import { Raw } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { KEY_ALGORITHMS } from "../clients/public-jwk.js";
import { tokenKinds } from "../grants/issue/token-kinds.js";
import { GRANTS } from "../grants/schema.js";
import { roles } from "../roles/rules.js";

const PROOFS = ["client_secret_basic", "client_secret_post", "private_key_jwt"];
const Strings = z.array(z.string());

const Metadata = z
  .object({
    issuer: z.url().meta({ description: "Identifier of the issuer (RFC 8414)." }),
    authorization_endpoint: z.url().meta({
      description: "Named for clients that take no metadata without it. No grant here uses it; it answers 404.",
    }),
    token_endpoint: z.url().meta({ description: "Where tokens are issued." }),
    jwks_uri: z.url().meta({ description: "Where the keys that verify tokens are listed." }),
    revocation_endpoint: z.url().meta({ description: "Where tokens are revoked." }),
    introspection_endpoint: z.url().meta({ description: "Where tokens are looked up." }),
    response_types_supported: Strings.meta({ description: "Response types that are supported; none." }),
    grant_types_supported: Strings.meta({ description: "Grants that are supported." }),
    identity_chaining_requested_token_types_supported: Strings.meta({
      description: "Kinds of tokens for other authorization servers that tokens of people are exchanged for.",
    }),
    scopes_supported: Strings.meta({ description: "Scopes that can be asked for." }),
    token_endpoint_auth_methods_supported: Strings.meta({
      description: "How clients prove themselves to get a token.",
    }),
    token_endpoint_auth_signing_alg_values_supported: Strings.meta({
      description: "Algorithms of signed proofs to get a token.",
    }),
    revocation_endpoint_auth_methods_supported: Strings.meta({
      description: "How clients prove themselves to revoke a token.",
    }),
    revocation_endpoint_auth_signing_alg_values_supported: Strings.meta({
      description: "Algorithms of signed proofs to revoke a token.",
    }),
    introspection_endpoint_auth_methods_supported: Strings.meta({
      description: "How clients prove themselves to look a token up.",
    }),
    introspection_endpoint_auth_signing_alg_values_supported: Strings.meta({
      description: "Algorithms of signed proofs to look a token up.",
    }),
  })
  .meta({ id: "AuthorizationServerMetadata" });

export const readMetadata = defineOperation({
  id: "auth.metadata",
  method: "GET",
  path: "/.well-known/oauth-authorization-server",
  tag: "Authentication",
  summary: "Describe the authorization server",
  description: "RFC 8414. Under a prefix it stands below the prefix; clients are given its address.",
  access: "public",
  mount: ["root", "doors"],
  extension: true,
  success: { status: 200, schema: Metadata },
  async handler(ctx) {
    const { baseUrl } = ctx.env.options;
    const endpoint = (name: string) => `${baseUrl}/api/v1/auth/${name}`;
    const metadata: z.output<typeof Metadata> = {
      issuer: baseUrl,
      authorization_endpoint: endpoint("authorize"),
      token_endpoint: endpoint("token"),
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      revocation_endpoint: endpoint("revoke"),
      introspection_endpoint: endpoint("introspect"),
      response_types_supported: [],
      grant_types_supported: Object.values(GRANTS),
      identity_chaining_requested_token_types_supported: ctx.env.use(tokenKinds).map(({ type }) => type),
      scopes_supported: Object.keys(ctx.env.use(roles).permissions),
      token_endpoint_auth_methods_supported: [...PROOFS, "none"],
      token_endpoint_auth_signing_alg_values_supported: KEY_ALGORITHMS,
      revocation_endpoint_auth_methods_supported: [...PROOFS, "none"],
      revocation_endpoint_auth_signing_alg_values_supported: KEY_ALGORITHMS,
      introspection_endpoint_auth_methods_supported: PROOFS,
      introspection_endpoint_auth_signing_alg_values_supported: KEY_ALGORITHMS,
    };
    return new Raw(JSON.stringify(metadata), "application/json", { headers: { "cache-control": "max-age=300" } });
  },
});
