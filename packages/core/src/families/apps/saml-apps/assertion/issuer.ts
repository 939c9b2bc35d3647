import type { Environment } from "#kernel/config/environment.js";
import type { SamlIssuer } from "#ports/saml.js";

/** The identity provider of a tenant as its applications know it. */
export function issuerOf({ options: { baseUrl } }: Pick<Environment, "options">, tenantId: string): SamlIssuer {
  const at = (name: string) => `${baseUrl}/saml/${name}?tenant=${tenantId}`;
  return { entityId: at("metadata"), ssoUrl: at("sso"), sloUrl: at("slo") };
}
