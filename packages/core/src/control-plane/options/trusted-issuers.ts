import type { TrustedIssuer } from "#families/options.js";
import { nearName } from "../../names/near-name.js";
import { type Check, flag, isObject, listOf, required, shown, text, url } from "./check-kinds.js";
import { knownRoles, roleMap } from "./role-checks.js";

const names: Check = (given, config) =>
  Array.isArray(given) && given.length === 0
    ? "must name one at least"
    : listOf("texts", (entry) => (entry === "" ? "is empty" : undefined))(given, config);

/** The check of each member. */
const MEMBERS: { readonly [Name in keyof Required<TrustedIssuer>]: Check } = {
  issuer: required("the exact iss of its tokens", url("https://login.acme.example")),
  audience: required("the aud of its tokens for this service", text),
  jwksUri: url("https://login.acme.example/keys"),
  tenantClaim: text,
  tenant: text,
  subjectClaim: text,
  authorizedParties: names,
  tokenTypes: names,
  usernamesVerified: flag,
  usernameClaim: text,
  rolesClaim: text,
  roleMap,
  newUserRoles: (given, config) =>
    listOf("roles", () => undefined)(given, config) ?? knownRoles(given as readonly string[], config),
  nameClaim: text,
};

/** Members that mean nothing without one of others. */
const NEEDS: readonly (readonly [keyof TrustedIssuer, ...(keyof TrustedIssuer)[]])[] = [
  ["usernameClaim", "tenantClaim", "tenant"],
  ["rolesClaim", "usernameClaim"],
  ["roleMap", "rolesClaim"],
  ["newUserRoles", "usernameClaim"],
  ["nameClaim", "newUserRoles"],
];

/** What is wrong with trusted issuers: a text for each fault, which begins with the place and the member. */
export function trustedIssuerFaults(given: unknown, config: Readonly<Record<string, unknown>>): readonly string[] {
  if (!Array.isArray(given)) return [`must be a list of issuers, not ${shown(given)}`];
  const seen = given.map((one) => Object(one).issuer);
  return given.flatMap((one, at) => {
    if (!isObject(one)) return [`[${at}] must be an issuer with its members, not ${shown(one)}`];
    const faults = faultsOf(one as Readonly<Record<string, unknown>>, config);
    if (seen[at] === config.baseUrl) faults.push("issuer must not name this service itself");
    if (seen.indexOf(seen[at]) < at) faults.push("issuer is there twice");
    return faults.map((fault) => `[${at}].${fault}`);
  });
}

function faultsOf(issuer: Readonly<Record<string, unknown>>, config: Readonly<Record<string, unknown>>): string[] {
  const has = (name: string) => issuer[name] !== undefined;
  const unknown = Object.keys(issuer).filter((name) => !Object.hasOwn(MEMBERS, name));
  const wrong = Object.entries(MEMBERS).flatMap(([name, check]) => {
    const isLeftOut = !has(name) && name !== "issuer" && name !== "audience";
    const fault = isLeftOut ? undefined : check(issuer[name], config);
    return fault === undefined ? [] : [`${name} ${fault}`];
  });
  const lacking = NEEDS.filter(([name, ...others]) => has(name) && !others.some(has));
  return [
    ...unknown.map((name) => `${name} is no member; ${meant(name)}`),
    ...wrong,
    ...lacking.map(([name, ...others]) => `${name} needs ${others.join(" or ")}`),
    ...(has("tenant") && has("tenantClaim") ? ["tenant must not stand beside tenantClaim"] : []),
  ];
}

function meant(name: string): string {
  const near = nearName(name, Object.keys(MEMBERS));
  return near === undefined ? `there are ${Object.keys(MEMBERS).join(", ")}` : `did you mean ${near}?`;
}
