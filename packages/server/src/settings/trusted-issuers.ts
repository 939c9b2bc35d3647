import { type TrustedIssuer, trustedIssuerFaults } from "@reeve/core";
import { type OpenidSettings, openidFaults } from "@reeve/openid";
import { type JsonSetting, readJsonSetting } from "./json-setting.js";

type Env = Readonly<Record<string, string | undefined>>;

/** The trusted issuers of the environment, or of the file that it names. A fault names the setting and the member. */
export function readTrustedIssuers(env: Env, baseUrl: string, faults: string[]): readonly TrustedIssuer[] {
  const given = readJsonSetting(env, "REEVE_TRUSTED_ISSUERS", "a list of issuers", faults);
  return given ? accepted<TrustedIssuer>(given, trustedIssuerFaults(given.value, { baseUrl }), faults) : [];
}

/** The OpenID providers that people sign in by in the same way. Each must be one of the issuers, which says who somebody is. */
export function readOpenid(env: Env, trusted: readonly TrustedIssuer[], faults: string[]): readonly OpenidSettings[] {
  const given = readJsonSetting(env, "REEVE_OPENID", "a list of providers", faults);
  if (!given) return [];
  const providers = accepted<OpenidSettings>(given, openidFaults(given.value), faults);
  const names = new Set(trusted.filter((one) => one.usernameClaim !== undefined).map(({ issuer }) => issuer));
  const strange = providers.flatMap(({ issuer }, at) =>
    names.has(issuer)
      ? []
      : [`${given.setting}[${at}].issuer must be one of REEVE_TRUSTED_ISSUERS with a usernameClaim`],
  );
  faults.push(...strange);
  return strange.length === 0 ? providers : [];
}

function accepted<T>({ setting, value }: JsonSetting, found: readonly string[], faults: string[]): readonly T[] {
  faults.push(...found.map((fault) => `${setting} ${fault}`.replace(/ (?=\[\d)/, "")));
  return found.length === 0 ? (value as T[]) : [];
}
