import type { Environment } from "../config/environment.js";
import type { Principal } from "../config/principal.js";
import { ReeveError } from "../http/errors.js";

/**
 * 403 naming the permission, unless the principal holds it. Machine clients never hold human-only permissions, whatever
 * their principal claims.
 */
export function requirePermission(env: Pick<Environment, "humanOnly">, principal: Principal, permission: string): void {
  if (principal.kind === "client" && env.humanOnly.has(permission)) {
    throw new ReeveError("permission_denied", `Only people may hold "${permission}".`, { members: { permission } });
  }
  if (principal.permissions.has(permission)) return;
  throw new ReeveError("permission_denied", `The permission "${permission}" is required.`, { members: { permission } });
}
