import { requireParameters } from "#families/access/index.js";
import { narrowsParameters } from "#families/access-grants/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { profilesOf } from "../conflicts/holdings.js";
import { lengthOf } from "../evaluate/limits.js";
import { approvedParameters } from "../rules.js";
import type { AccessRequest, Narrowing } from "../schema.js";
import type { RequestApproval } from "./body.js";

/** What an approver approves only; `null` for all of it. 400 for what would be more than was asked for. */
export async function narrowingOf(
  ctx: Context,
  request: AccessRequest,
  given: RequestApproval,
): Promise<Narrowing | null> {
  const { parameters = {} } = given;
  const [grantedDuration, expiresAt] = [given.grantedDuration ?? null, given.expiresAt ?? null];
  const asked = lengthOf(ctx, request);
  if (grantedDuration !== null && millisecondsOf(grantedDuration) > asked)
    throw invalidProperty("/grantedDuration", "It was asked for a shorter time.");
  if (expiresAt !== null && (expiresAt <= ctx.now || lengthOf(ctx, { ...request, duration: null, expiresAt }) > asked))
    throw invalidProperty("/expiresAt", "It ends in the future, and no later than was asked for.");
  const names = Object.keys(parameters);
  if (names.length > 0) {
    const profiles = await profilesOf(ctx, [...new Set(request.items.map((item) => item.accessProfileId))]);
    for (const key of names) {
      const item = request.items.find((one) => one.key === key);
      const profile = item && profiles.get(item.accessProfileId);
      const wanted = parameters[key] as Narrowing["parameters"][string];
      if (!item || !profile || !narrowsParameters(wanted, approvedParameters(item, request.votes)))
        throw invalidProperty(`/parameters/${key}`, "They only shorten lists of an item of the request.");
      requireParameters(profile, wanted);
    }
  }
  const isWhole = grantedDuration === null && expiresAt === null && names.length === 0;
  return isWhole ? null : { duration: grantedDuration, expiresAt, parameters };
}
