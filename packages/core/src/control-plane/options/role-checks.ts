import { RoleBook } from "#families/identity/index.js";
import { builtInRoles } from "#families/index.js";
import type { HostRole } from "#families/options.js";
import { ReeveError } from "#kernel/http/errors.js";
import { isObject, shown } from "./check-kinds.js";

type Config = Readonly<Record<string, unknown>>;

export function roles(given: unknown): string | undefined {
  const isSound = (role: unknown) => Array.isArray(Object(role).permissions);
  if (!isObject(given) || !Object.values(given).every(isSound))
    return `must be roles by their name, each { description, permissions }, not ${shown(given)}`;
  try {
    new RoleBook(given as Readonly<Record<string, HostRole>>, [builtInRoles.permissions]);
    return undefined;
  } catch (error) {
    if (!ReeveError.is(error)) throw error;
    return error.detail?.replace(/^roles/, "");
  }
}

export function roleMap(given: unknown, config: Config): string | undefined {
  const isSound = isObject(given) && Object.values(given).every((names) => Array.isArray(names));
  if (!isSound) return `must be lists of roles by the host's name for them, not ${shown(given)}`;
  return knownRoles(Object.values(given).flat(), config);
}

/** What is wrong with these names of roles. `undefined` when there is each. */
export function knownRoles(names: readonly unknown[], { roles: own }: Config): string | undefined {
  const known = new Set<unknown>([...Object.keys(builtInRoles.builtIn), ...Object.keys(Object(own))]);
  const unknown = [...new Set(names)].filter((role) => !known.has(role));
  return unknown.length > 0 ? `names no role by ${shown(unknown)}; there are ${[...known].join(", ")}` : undefined;
}
