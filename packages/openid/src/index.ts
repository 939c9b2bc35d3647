import type { OpenidEngine } from "@reeve/core";
import { type OpenidSettings, openidFaults } from "./settings.js";

export { type OpenidSettings, openidFaults } from "./settings.js";

/**
 * Sign-in by OpenID providers, for the option `openid` of a control plane. The library is loaded at first use. Throws when
 * the settings cannot work.
 */
export function openidSignIn(providers: readonly OpenidSettings[]): OpenidEngine {
  const faults = openidFaults(providers);
  if (faults.length > 0) throw new TypeError(`openidSignIn cannot work with these settings:\n- ${faults.join("\n- ")}`);
  return {
    providers: providers.map(({ name, label, issuer, clientId, secondFactor = { amr: ["mfa"] } }) => ({
      ...{ name, label, issuer, clientId },
      factorClaims: { amr: secondFactor.amr ?? [], acr: secondFactor.acr ?? [] },
    })),
    connect(outside) {
      let made: Promise<ReturnType<OpenidEngine["connect"]>> | undefined;
      const flow = () => {
        made ??= import("./flow.js").then(({ codeFlow }) => codeFlow(providers, outside));
        return made;
      };
      return {
        begin: async (...input) => (await flow()).begin(...input),
        finish: async (...input) => (await flow()).finish(...input),
      };
    },
  };
}
