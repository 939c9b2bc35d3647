import type { Environment } from "#kernel/config/environment.js";
import { tableOf } from "#kernel/operation/table.js";
import { oauthRefusal } from "../refuse-oauth.js";

/**
 * Whom a token is for, by the `resource` of its request: all of this service without one, or an operation that takes tokens of its
 * own. `invalid_target` for any other.
 */
export function requestedAudience(env: Environment, resource: string | undefined): { readonly audience?: string } {
  const { baseUrl } = env.options;
  const named = resource?.replace(/\/$/, "");
  if (named === undefined || named === baseUrl.replace(/\/$/, "")) return {};
  const isOne = env.use(tableOf).operations.some(({ path, ownAudience }) => ownAudience && named === baseUrl + path);
  if (!isOne)
    throw oauthRefusal(
      "invalid_target",
      "Tokens are issued for this service, or for an address of it that takes them.",
    );
  return { audience: named };
}
