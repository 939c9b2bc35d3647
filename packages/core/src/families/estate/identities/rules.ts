import { invalidProperty } from "../../../kernel/http/errors.js";
import type { RoleBook } from "../../identity/index.js";
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

/** Whether Reeve issues the credentials of an identity of this kind. */
export function hasCredentialsHere({ kind }: Pick<Identity, "kind">): boolean {
  return kind === "service_principal" || kind === "workload" || kind === "oauth_client";
}
