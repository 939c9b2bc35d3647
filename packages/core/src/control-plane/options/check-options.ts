import { distance } from "fastest-levenshtein";
import { ReeveError } from "#kernel/http/errors.js";
import { CHECKS } from "./checks.js";

/** An unknown name that differs from an option by at most this many letters may be a typo. */
const SLIP = 3;

/**
 * Throws for invalid options, with all faults at once. Each line names the option, its value and what it must be. Keys
 * are never shown.
 */
export function checkOptions(config: Readonly<Record<string, unknown>> | undefined): void {
  const given = typeof config === "object" && config !== null ? config : {};
  const faults = [
    ...Object.keys(given)
      .filter((name) => !Object.hasOwn(CHECKS, name))
      .map((name) => `${name} is no option${meant(name)}`),
    ...Object.entries(CHECKS).flatMap(([name, check]) => {
      const value = given[name];
      const isLeftOut = value === undefined && !REQUIRED.includes(name);
      const fault = isLeftOut ? undefined : check(value, given);
      return fault === undefined ? [] : [`${name} ${fault}`.replace(" .", ".")];
    }),
  ];
  if (faults.length === 0) return;
  throw new ReeveError(
    "invalid_request",
    `createControlPlane cannot work with these options:\n- ${faults.join("\n- ")}`,
  );
}

const REQUIRED = ["store", "masterKey", "baseUrl"];

function meant(name: string): string {
  const near = Object.keys(CHECKS)
    .map((known) => ({ known, apart: distance(known.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.apart - other.apart)[0];
  return near && near.apart <= SLIP ? `; did you mean ${near.known}?` : "; see the reference of options";
}
