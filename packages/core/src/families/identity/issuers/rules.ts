/** An OIDC issuer whose tokens are accepted, with the claims that name the principal. */
export interface TrustedIssuer {
  /** The exact `iss` of its tokens. */
  readonly issuer: string;
  /** The `aud` of its tokens for this service. */
  readonly audience: string;
  /** Where its public keys are. From its OIDC metadata when absent. */
  readonly jwksUri?: string;
  /** Claim with the tenant's id or subdomain. */
  readonly tenantClaim?: string;
  /** Accepted values of `azp`, the client that sends a token. The audience only when absent. */
  readonly authorizedParties?: readonly string[];
  /** Accepted values of the header `typ`. `JWT` and `at+jwt` when absent. A token without `typ` is accepted. */
  readonly tokenTypes?: readonly string[];
  /**
   * Whether the issuer has verified every user name as an address. When absent, the token's `email` must be the user
   * name and `email_verified` true.
   */
  readonly usernamesVerified?: boolean;
  /** Claim with a user name. Without it or `tenantClaim`, its tokens serve token exchange only. */
  readonly usernameClaim?: string;
  /**
   * Claim with names of roles, which replace the user's. Unknown names are ignored. When absent, the user must exist in
   * the tenant.
   */
  readonly rolesClaim?: string;
}

/** What is wrong with these issuers. `undefined` when they are valid. */
export function trustedIssuersFault(trusted: readonly TrustedIssuer[], baseUrl: string): string | undefined {
  const names = trusted.map(({ issuer }) => issuer);
  if (names.includes(baseUrl)) return "must not name this service itself";
  if (new Set(names).size < names.length) return "must not name an issuer twice";
  return trusted.map(faultOf).find((fault) => fault !== undefined);
}

function faultOf(trusted: TrustedIssuer): string | undefined {
  const { issuer, jwksUri, audience, tenantClaim, usernameClaim, rolesClaim } = trusted;
  for (const url of [issuer, jwksUri]) {
    if (url !== undefined && !URL.canParse(url)) return `"${url}" must be an absolute URL`;
  }
  if (typeof audience !== "string" || audience === "") return "need an audience";
  if (usernameClaim !== undefined && !tenantClaim) return "need tenantClaim with usernameClaim";
  if (rolesClaim !== undefined && !usernameClaim) return "need usernameClaim with rolesClaim";
  for (const name of ["authorizedParties", "tokenTypes"] as const) {
    const list: unknown = trusted[name];
    const isList = Array.isArray(list) && list.length > 0 && list.every((entry) => typeof entry === "string");
    if (list !== undefined && !isList) return `need texts in ${name}`;
  }
  return undefined;
}
