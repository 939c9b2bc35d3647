import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import type { AccessAssignment } from "./schema.js";

const SETTLED_BY = {
  not_asked: "The target's answer to the grant.",
  not_shown:
    "A look or a drift scan in which the target shows it. Until then only somebody who looks in the target itself can tell.",
  not_shown_gone:
    "Somebody who looks in the target itself. The target took the removal, and has never shown the access.",
  never_granted: "Somebody who looks in the target itself. Nothing was granted there from here.",
  not_answered: "A look that the target answers.",
  connection_deleted: "Somebody who looks in the target itself, since Reeve is not connected to it any more.",
} as const;

/** Why nobody can say what a target has, since when, and what would tell. */
export const Unknown = z
  .object({
    because: z.enum(Object.keys(SETTLED_BY) as [keyof typeof SETTLED_BY]).meta({
      description:
        "`not_asked`: nothing was granted yet; `never_granted`: nothing was, and the target does not show all that it has; `not_shown`: the target took it and does not show it; `not_shown_gone`: it took the removal of what it never showed; `not_answered`: it could not be asked; `connection_deleted`: it is not asked any more.",
    }),
    since: Time.meta({ description: "The time since which it is seen." }),
    settledBy: z.string().meta({ description: "What would tell, in words." }),
  })
  .meta({
    id: "AccessUnknown",
    description: "Why nobody can say what a target has of an access, since when, and what would tell.",
  });
export type Unknown = z.output<typeof Unknown>;

const unknown = (because: Unknown["because"], since: string): Unknown => ({
  because,
  since,
  settledBy: SETTLED_BY[because],
});

type Standing = Pick<
  AccessAssignment,
  "status" | "targetState" | "unseenSince" | "endReason" | "endedAt" | "endingSince" | "updatedAt"
>;

/** Why it is not known what the target has of an assignment; `null` where it is known. */
export function unknownOf(one: Standing): Unknown | null {
  if (one.targetState !== "unknown") return null;
  if (one.status === "orphaned") return unknown("connection_deleted", one.endedAt ?? one.updatedAt);
  if (one.unseenSince !== null) return unknown(one.endedAt === null ? "not_shown" : "not_shown_gone", one.unseenSince);
  return one.endedAt === null ? unknown("not_asked", one.updatedAt) : unknown("never_granted", one.endedAt);
}

/** Why a look at some moment has not told what the target has. */
export const unreported = (failure: object | null, now: string): Unknown =>
  unknown(failure === null ? "not_shown" : "not_answered", now);
