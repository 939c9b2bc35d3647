import { invalidProperty } from "../../../kernel/errors.js";
import { isGrantable, PERMISSIONS } from "../../identity/index.js";
import type { Identity } from "./schema.js";

/** Names under which people keep secrets, folded to letters. */
const SECRET_NAMES =
  /^(?:clientsecret|secret|secretkey|password|passphrase|privatekey|apikey|accesstoken|refreshtoken)$/;

/** 400 unless every scope is a permission that machines may hold. */
export function checkScopes(scopes: readonly string[]): void {
  for (const [index, scope] of scopes.entries()) {
    if (isGrantable(scope)) continue;
    const why = Object.hasOwn(PERMISSIONS, scope)
      ? `Only people may hold "${scope}".`
      : `There is no permission "${scope}".`;
    throw invalidProperty(`/scopes/${index}`, why);
  }
}

/** 400 when a free property is named like a secret: identities say where a credential is kept, never what it is. */
export function refuseSecrets(value: unknown, pointer: string): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (typeof inner === "string" && SECRET_NAMES.test(name.toLowerCase().replaceAll(/[^a-z]/g, "")))
      throw invalidProperty(at, "An identity holds no secrets; name the place of the credential in `credentialRef`.");
    refuseSecrets(inner, at);
  }
}

/** Scopes that one version has and the other had not. */
export function addedScopes(before: readonly string[], after: readonly string[]): string[] {
  return after.filter((scope) => !before.includes(scope));
}

/** Kinds whose credentials are issued here; the others have theirs elsewhere. */
export function hasCredentialsHere({ kind }: Pick<Identity, "kind">): boolean {
  return kind === "service_principal" || kind === "workload" || kind === "oauth_client";
}
