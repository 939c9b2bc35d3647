import type { TrustedIssuer } from "#families/options.js";

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
