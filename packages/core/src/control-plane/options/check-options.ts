import { ReeveError } from "#kernel/http/errors.js";
import { nearName } from "../../names/near-name.js";
import { CHECKS } from "./checks.js";

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
      return fault === undefined ? [] : [`${name} ${fault}`.replace(/ (?=\.|\[\d)/, "")];
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
  const near = nearName(name, Object.keys(CHECKS));
  return near === undefined ? "; see the reference of options" : `; did you mean ${near}?`;
}
