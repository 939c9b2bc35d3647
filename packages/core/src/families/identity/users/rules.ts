import type { Principal } from "#kernel/config/principal.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { opaqueString } from "#ports/opaque-string.js";
import { isProviderRole, type RoleBook } from "../roles/rules.js";
import { isCommonPassword } from "./passwords/common-passwords.js";
import { PASSWORD_BYTES, type User } from "./schema.js";

/** 400 for passwords that are too short, too long, common, or derived from the context. Nothing is trimmed. */
export function checkPassword(
  password: string,
  context: readonly string[],
  minLength: number,
  pointer = "/password",
): void {
  const why = passwordWeakness(password, context, minLength);
  if (why !== undefined) throw rejected(why, pointer);
}

/** Whether somebody may do what they might before: neither their status nor their roles have changed. */
export function standsAsBefore(before: User, after: User | undefined): boolean {
  return after?.status === before.status && after.roles.join(" ") === before.roles.join(" ");
}

/** 400 when the new password is the current one. */
export function checkDiffers(change: { readonly currentPassword: string; readonly newPassword: string }): void {
  if (opaqueString(change.newPassword) === opaqueString(change.currentPassword))
    throw rejected("The new password is the current one.", "/newPassword");
}

function rejected(why: string, pointer: string): ReeveError {
  return new ReeveError("password_rejected", why, {
    errors: [{ pointer, code: "password_rejected", message: why }],
  });
}

/** The rule that a password breaks. `undefined` for none. */
export function passwordWeakness(password: string, context: readonly string[], minLength: number): string | undefined {
  if ([...opaqueString(password)].length < minLength) return `At least ${minLength} characters.`;
  if (Buffer.byteLength(password) > PASSWORD_BYTES) return `At most ${PASSWORD_BYTES} bytes.`;
  const folded = password.normalize("NFKC").toLowerCase();
  if (isCommonPassword(folded)) return "This password is among the most common ones.";
  if (/^(.{1,4})\1+$/su.test(folded)) return "This password is one short piece repeated.";
  const words = context
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= 4);
  const rest = words.reduce((left, word) => left.replaceAll(word, ""), folded);
  return rest.length < minLength / 2 ? "This password is made of the user's or the organisation's name." : undefined;
}

/** 400 for roles that do not exist, and for provider roles outside the provider's own tenant. */
export function checkRoles(book: RoleBook, provider: boolean, given: readonly (string | undefined)[]): void {
  for (const [index, role] of given.entries()) {
    if (role === undefined) continue;
    if (!book.has(role)) throw invalidProperty(`/roles/${index}`, `There is no role "${role}".`);
    if (isProviderRole(role) && !provider)
      throw invalidProperty(`/roles/${index}`, `The role "${role}" exists in the provider's own tenant only.`);
  }
}

/**
 * 403 unless the principal holds every permission of the roles it grants or removes. Only owners grant or remove
 * `owner`.
 */
export function checkGrant(
  book: RoleBook,
  principal: Principal,
  before: readonly string[],
  after: readonly string[],
): void {
  const touched = [
    ...before.filter((role) => !after.includes(role)),
    ...after.filter((role) => !before.includes(role)),
  ];
  for (const role of touched) {
    const exceeds = role === "owner" ? !principal.roles.includes("owner") : !holdsAll(book, principal, role);
    if (exceeds) {
      throw new ReeveError("permission_denied", `You cannot grant or revoke the role "${role}".`, {
        members: { role },
      });
    }
  }
}

function holdsAll(book: RoleBook, principal: Principal, role: string): boolean {
  return [...book.permissionsOf([role])].every((permission) => principal.permissions.has(permission));
}
