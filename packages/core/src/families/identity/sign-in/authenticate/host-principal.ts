import { type HostPrincipal, type Options, optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Principal } from "#kernel/config/principal.js";
import { isIdOf } from "#store/collection.js";
import { roles as roleBook } from "../../roles/rules.js";
import { users } from "../../users/schema.js";

const TEXT = 254;

/**
 * The principal that the host's `authenticate` returned, after validation. A stored user must be active. Roles from the
 * host replace the user's for this request. An invalid value is an error of the host: it throws, and nobody is signed
 * in.
 */
export async function hostPrincipal(
  env: Environment,
  given: HostPrincipal,
  storedUser: (tenantId: string, userId: string) => Promise<Principal>,
  roleMap: Options["roleMap"] = optionsOf(env).roleMap,
): Promise<Principal> {
  const { tenantId, userId, username, roles, authenticatedAt, withFactor } = given;
  if (!isText(tenantId) || !isText(userId)) throw new TypeError("authenticate: tenantId and userId must be texts");
  if (authenticatedAt !== undefined && !Number.isSafeInteger(authenticatedAt))
    throw new TypeError("authenticate: authenticatedAt must be whole milliseconds since the epoch");
  if (withFactor !== undefined && typeof withFactor !== "boolean")
    throw new TypeError("authenticate: withFactor must be true or false");
  const factor = withFactor === undefined ? {} : { withFactor };
  const proven = authenticatedAt === undefined ? {} : { authenticatedAt, ...factor };
  const stored = isIdOf(users, userId) ? await storedUser(tenantId, userId) : undefined;
  if (roles === undefined) {
    if (stored) return { ...stored, ...proven };
    throw new TypeError("authenticate: a principal without roles must be a user of Reeve");
  }
  const name = username ?? stored?.username;
  if (!isText(name) || !Array.isArray(roles) || !roles.every(isText))
    throw new TypeError("authenticate: a principal with roles needs a username, and roles that are texts");
  const mapped = mappedRoles(roles, roleMap);
  const permissions = env.use(roleBook).permissionsOf(mapped);
  const who = { kind: "user", tenantId, userId, username: name, roles: mapped, permissions } as const;
  return { ...who, rolesFromHost: true, ...proven };
}

/** The roles for names of the host. With a map, a name without an entry has none. */
function mappedRoles(names: readonly string[], map: Options["roleMap"]): readonly string[] {
  return [...new Set(map ? names.flatMap((name) => (Object.hasOwn(map, name) ? (map[name] ?? []) : [])) : names)];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= TEXT;
}
