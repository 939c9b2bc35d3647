import {
  type AccessPolicy,
  EMERGENCY_MOST,
  isCovered,
  least,
  pendingForOf,
  policiesInForce,
} from "#families/access/index.js";
import type { Asset } from "#families/estate/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { lengthOf } from "../evaluate/limits.js";
import type { RequestFields } from "../fields.js";
import type { AccessRequest } from "../schema.js";
import { type Itemized, notRequestable } from "./items.js";

type Given = Partial<Pick<RequestFields, "duration" | "expiresAt" | "permanent" | "notBefore" | "emergency">>;
type Terms = Pick<AccessRequest, "duration" | "expiresAt" | "isPermanent" | "notBefore">;

/** The least of what profiles and policies permit, and how long a request may wait. */
export interface Bounds {
  readonly longest: string;
  readonly pendingFor: string;
}

/** How far ahead access may begin. What was looked at means something else a long time later. */
const AHEAD = "P90D";

/** How long access may last. 409 for an emergency that no policy is for. */
export async function boundsOf(
  ctx: ReadContext,
  asset: Asset,
  { items, profiles }: Itemized,
  emergency: boolean,
): Promise<Bounds> {
  const policies = (await policiesInForce(ctx)).filter(({ kind }) => (kind === "emergency") === emergency);
  const firsts = items.flatMap(({ accessProfileId, resourceId }): AccessPolicy[] => {
    const profile = profiles.find(({ id }) => id === accessProfileId);
    const first = profile && policies.find(({ covers }) => isCovered(covers, { profile, resourceId, asset }));
    if (emergency && !first)
      throw notRequestable("No policy is for emergencies with this access.", "no_emergency_policy");
    return first ? [first] : [];
  });
  const longest = least([
    ...profiles.map(({ maxDuration }) => maxDuration),
    ...firsts.flatMap(({ maxDuration }) => (maxDuration === null ? [] : [maxDuration])),
    ...(emergency ? [EMERGENCY_MOST] : []),
  ]);
  return { longest, pendingFor: pendingForOf(firsts) };
}

/** How long access is asked for. 400 for more than may be: nothing is shortened in silence. */
export function termsOf(ctx: ReadContext, given: Given, { profiles }: Itemized, { longest }: Bounds): Terms {
  const { duration, expiresAt, permanent = false, notBefore = null, emergency = false } = given;
  if ([duration, expiresAt, permanent || undefined].filter((one) => one !== undefined).length > 1)
    throw invalidProperty("/duration", "Give a duration, an end or permanence, and one of them only.");
  if (expiresAt !== undefined && expiresAt <= (notBefore ?? ctx.now))
    throw invalidProperty("/expiresAt", "It must end after it begins.");
  if (notBefore !== null && Date.parse(notBefore) > ctx.request.nowMs + millisecondsOf(AHEAD))
    throw invalidProperty("/notBefore", `It begins within ${AHEAD}.`);
  if (emergency && notBefore !== null) throw invalidProperty("/notBefore", "Access that begins later is no emergency.");
  if (permanent) {
    if (!emergency && profiles.every(({ allowPermanent }) => allowPermanent))
      return { duration: null, expiresAt: null, isPermanent: true, notBefore };
    throw tooLong("/permanent", longest);
  }
  const isNothing = duration === undefined && expiresAt === undefined;
  const terms = {
    duration: duration ?? (isNothing ? longest : null),
    expiresAt: expiresAt ?? null,
    isPermanent: false,
    notBefore,
  };
  if (lengthOf(ctx, terms) > millisecondsOf(longest)) throw tooLong(duration ? "/duration" : "/expiresAt", longest);
  return terms;
}

const tooLong = (pointer: string, longest: string) =>
  new ReeveError("duration_exceeds_max", `It may last ${longest} at most.`, {
    errors: [{ pointer, code: "duration_exceeds_max", message: `At most ${longest}.` }],
    members: { maxDuration: longest },
  });
