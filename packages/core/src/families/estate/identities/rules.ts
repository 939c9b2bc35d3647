import type { RoleBook } from "#families/identity/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { Identity } from "./schema.js";

/** 400 unless every scope is a permission that machines may hold. */
export function checkScopes(book: RoleBook, scopes: readonly string[]): void {
  for (const [index, scope] of scopes.entries()) {
    if (book.isGrantable(scope)) continue;
    const why = book.knows(scope) ? `Only people may hold "${scope}".` : `There is no permission "${scope}".`;
    throw invalidProperty(`/scopes/${index}`, why);
  }
}

/** The scopes of `after` that `before` lacks. */
export function addedScopes(before: readonly string[], after: readonly string[]): string[] {
  return after.filter((scope) => !before.includes(scope));
}

/** The fields that say who may act as an identity, and how long. */
const BEARER = ["issuer", "subject", "kind", "credentialExpiresAt"] as const;

/** Whether a change would let somebody else act as the identity, or act for another time. */
export function changesBearer(before: Pick<Identity, (typeof BEARER)[number]>, given: Partial<Identity>): boolean {
  return BEARER.some((field) => given[field] !== undefined && given[field] !== before[field]);
}

/** Whether Reeve issues the credentials of an identity of this kind. */
export function hasCredentialsHere({ kind }: Pick<Identity, "kind">): boolean {
  return kind === "service_principal" || kind === "workload" || kind === "oauth_client";
}
