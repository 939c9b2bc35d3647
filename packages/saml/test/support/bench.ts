import type { SamlKey, SamlSignOn } from "@reeve/core";
import { samlEngine } from "../../src/index.js";

export const engine = samlEngine();
export const NOW = Date.parse("2027-03-01T10:00:00.000Z");
/** The tenant of the messages, as the control plane of the tests of its doors has it. */
export const TENANT = "tnt_00000000000000000000000100";
export const SSO = `https://reeve.example/saml/sso?tenant=${TENANT}`;
export const SLO = `https://reeve.example/saml/slo?tenant=${TENANT}`;
export const SP = "https://sp.example/metadata";
export const ACS = "https://sp.example/acs";
export const issuer = { entityId: `https://reeve.example/saml/metadata?tenant=${TENANT}`, ssoUrl: SSO, sloUrl: SLO };

let keys: Promise<{ readonly idp: SamlKey; readonly sp: SamlKey; readonly other: SamlKey }> | undefined;

/** Keys of the identity provider, of the service provider and of a stranger, made once. */
export function testKeys() {
  keys ??= Promise.all(["idp", "sp", "other"].map((name) => engine.newKey(name, NOW, 365))).then(
    ([idp, sp, other]) => ({ idp, sp, other }) as { idp: SamlKey; sp: SamlKey; other: SamlKey },
  );
  return keys;
}

/** A sign-on of somebody at the service provider. */
export async function signOn(more: Partial<SamlSignOn> = {}): Promise<SamlSignOn> {
  const { idp } = await testKeys();
  return {
    issuer,
    signer: idp,
    signed: "response",
    encryptFor: null,
    entityId: SP,
    acsUrl: ACS,
    inResponseTo: "_request",
    nameId: "ada@acme.example",
    nameIdFormat: "email",
    attributes: [{ name: "mail", nameFormat: "basic", values: ["ada@acme.example"] }],
    sessionIndex: "_session",
    now: NOW,
    authenticatedAt: NOW,
    authenticatedBy: "password",
    sessionEndsAt: NOW + 8 * 3_600_000,
    ids: { response: "_response", assertion: "_assertion" },
    ...more,
  };
}
