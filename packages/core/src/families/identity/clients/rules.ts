import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Principal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { RoleBook } from "../roles/rules.js";
import type { ClientCredential, MachineClient } from "./schema.js";

/** The prefix of client secrets, for secret scanners. */
const SECRET_MARK = "reeve_cs_";
const SECRET_BYTES = 32;

export function newSecret(): string {
  return SECRET_MARK + randomBytes(SECRET_BYTES).toString("base64url");
}

/** The secret has 256 random bits, so one round of SHA-256 suffices against guessing. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Whether a secret matches the hash, in constant time. */
export function secretMatches(secret: string, secretHash: string): boolean {
  const given = createHash("sha256").update(secret).digest();
  const kept = Buffer.from(secretHash, "hex");
  return given.length === kept.length && timingSafeEqual(given, kept);
}

/** Whether the identity of a client may act now. */
export function isUsable(client: Pick<MachineClient, "allowed" | "expiresAt">, now: string): boolean {
  return client.allowed && (client.expiresAt === null || now < client.expiresAt);
}

/** The scopes in force, without permissions that machine clients cannot hold any more. */
export function grantedScopes(book: RoleBook, scopes: readonly string[]): string[] {
  return scopes.filter((scope) => book.isGrantable(scope));
}

/**
 * 403 unless the principal holds each of these scopes itself, so that nobody gains permissions through a machine
 * client.
 */
export function requireScopes(principal: Principal, scopes: readonly string[]): void {
  const permission = scopes.find((scope) => !principal.permissions.has(scope));
  if (permission === undefined) return;
  throw new ReeveError("permission_denied", `You do not hold "${permission}" yourself.`, { members: { permission } });
}

/** A credential as the API shows it. */
export function shownCredential(credential: ClientCredential, now: string) {
  const { id, identityId, name, publicJwk, createdAt, createdBy, expiresAt, lastUsedAt, replacedBy } = credential;
  const status = expiresAt <= now ? "expired" : replacedBy === null ? "active" : "superseded";
  const method = publicJwk === null ? "client_secret" : "private_key_jwt";
  const shown = { id, name, status, identityId, clientId: identityId, method, publicJwk } as const;
  return { ...shown, createdAt, createdBy, expiresAt, lastUsedAt, replacedBy } as const;
}
