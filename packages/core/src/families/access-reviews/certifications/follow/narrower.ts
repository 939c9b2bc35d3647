import { accessProfiles } from "#families/access/index.js";
import { type AccessAssignment, endsNoLater, narrowsParameters, permitsNoMore } from "#families/access-grants/index.js";
import { canonical } from "#kernel/events/canonical.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isOfRisk } from "../rules.js";

/** Whether access permits nothing more than before its change, of nothing else, and ends no later. */
export async function isOnlyNarrower(
  ctx: ReadContext,
  before: AccessAssignment,
  after: AccessAssignment,
): Promise<boolean> {
  const isSame = whatOf(before) === whatOf(after);
  const isInTime =
    after.notBefore >= before.notBefore &&
    (before.isPermanent || !after.isPermanent) &&
    endsNoLater(after.expiresAt, before.expiresAt);
  const isLess =
    narrowsParameters(after.parameters, before.parameters) &&
    after.privilegeLevel <= before.privilegeLevel &&
    isOfRisk(before.riskLevel, after.riskLevel);
  if (!isSame || !isInTime || !isLess) return false;
  if (after.accessProfileId === before.accessProfileId) return after.approvedHash === before.approvedHash;
  const ids = [after.accessProfileId, before.accessProfileId];
  const profiles = new Map((await ctx.db.getMany(accessProfiles, ids)).map(({ id, value }) => [id, value]));
  const [now, then] = ids.map((id) => profiles.get(id));
  return now !== undefined && then !== undefined && permitsNoMore(now, then);
}

/** Who has access to what. */
const whatOf = ({ connectorInstanceId, resource, principal, identityId }: AccessAssignment): string =>
  canonical([connectorInstanceId, resource, principal, identityId]);
