import type { TrustedIssuer } from "#families/options.js";
import type { OpenidProvider } from "#ports/openid.js";
import { type Check, withMethods } from "./check-kinds.js";

const ENGINE = withMethods("OpenID providers, as openidSignIn() makes", "connect");

/** Each provider must be a trusted issuer that names people: its rules say who somebody is. */
export const openidFault: Check = (given, config) => {
  const fault = ENGINE(given, config);
  if (fault !== undefined) return fault;
  const { providers } = given as { readonly providers: readonly OpenidProvider[] };
  const trusted = Array.isArray(config.trustedIssuers) ? (config.trustedIssuers as readonly TrustedIssuer[]) : [];
  const faults = providers.flatMap(({ name, issuer }) => {
    const found = trusted.find((one) => one.issuer === issuer);
    if (!found) return [`has ${name}, whose issuer ${issuer} is none of trustedIssuers`];
    return found.usernameClaim === undefined
      ? [`has ${name}, whose issuer in trustedIssuers has no usernameClaim`]
      : [];
  });
  return faults.join("; ") || undefined;
};
