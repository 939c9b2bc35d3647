import { oauthRefusal } from "../refuse-oauth.js";

const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** The requested permissions. `undefined` when none are named. `invalid_scope` unless each is among those `held`. */
export function requestedScope(scope: string | undefined, held: ReadonlySet<string>): string[] | undefined {
  if (scope === undefined) return undefined;
  if (!SCOPE.test(scope)) throw oauthRefusal("invalid_scope", "The scope is not a list of names with spaces between.");
  const names = [...new Set(scope.split(" "))];
  const beyond = names.find((name) => !held.has(name));
  if (beyond !== undefined) throw oauthRefusal("invalid_scope", "The scope goes beyond what may be granted here.");
  return names;
}
