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
  /** Values of `azp` that are accepted: clients that may send its tokens here. The audience alone when absent. */
  readonly authorizedParties?: readonly string[];
  /** Values of the header `typ` that are accepted. `JWT` and `at+jwt` when absent; a token without `typ` is accepted. */
  readonly tokenTypes?: readonly string[];
  /**
   * Whether each user name is an address that the issuer has verified. When absent, a token says so by `email_verified`, and
   * the user name must be its `email`.
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
