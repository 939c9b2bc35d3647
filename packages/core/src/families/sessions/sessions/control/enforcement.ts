import { Time } from "#kernel/records/record.js";
import { timestamp } from "#ports/clock.js";
import { z } from "#schema/z.js";

/** How long enforcement points have to acknowledge a decision, in milliseconds. */
export const ACKNOWLEDGE_WITHIN = 10_000;
/** Seconds that an enforcement point stays registered after its last heartbeat, by default. */
export const PRESENCE_SECONDS = 60;
/** The most enforcement points of one session, and of one caller in it without the permission to enforce. */
export const MOST_POINTS = 20;
export const MOST_OWN_POINTS = 5;

export const ENFORCEMENT_STATES = ["not_required", "pending", "confirmed", "partial", "unconfirmed", "failed"] as const;
export const OUTCOMES = ["enforced", "failed"] as const;

export const PepId = z
  .string()
  .regex(/^[\x21-\x7e]{1,100}$/, "1 to 100 visible ASCII characters.")
  .meta({ description: "Name of an enforcement point, of its own choosing.", example: "gateway-1" });

/** An enforcement point that was asked to enforce a decision. */
const Asked = z.object({
  id: z.string().meta({ description: "Name of the enforcement point." }),
  registeredBy: z.string().meta({ description: "Who answers for it." }),
  requestedAt: Time.meta({ description: "When it was asked." }),
  ackAt: Time.nullable().meta({ description: "When it answered." }),
  outcome: z.enum(OUTCOMES).nullable().meta({ description: "What it answered; `null`: nothing yet." }),
  detail: z.string().nullable().meta({ description: "What it said." }),
});
export type Asked = z.output<typeof Asked>;

/** The enforcement of the last decision. */
export const Enforcement = z
  .object({
    state: z.enum(ENFORCEMENT_STATES).meta({
      description:
        "`confirmed`: all enforcement points said so. `partial`: some did. `unconfirmed`: none did, or there is none. `failed`: those that answered could not.",
    }),
    deadlineAt: Time.nullable().meta({ description: "Until then `pending` waits for answers." }),
    peps: z.array(Asked).meta({ description: "Enforcement points that were asked." }),
  })
  .meta({ id: "AiSessionEnforcement" });
export type Enforcement = z.output<typeof Enforcement>;

/** A registered enforcement point. Decisions wait for its acknowledgement. */
export const Point = z.object({
  id: z.string().meta({ description: "Name of the enforcement point." }),
  registeredBy: z.string().meta({ description: "Who answers for it." }),
  registeredAt: Time.meta({ description: "When it was first heard of." }),
  seenAt: Time.meta({ description: "When it was last heard of." }),
  until: Time.meta({ description: "From then on it counts as gone, unless it is heard of before." }),
});
export type Point = z.output<typeof Point>;

export const NO_ENFORCEMENT: Enforcement = { state: "not_required", deadlineAt: null, peps: [] };

/** Asks the enforcement points that are registered at this moment. Without any, nothing can be confirmed. */
export function askPoints(points: readonly Point[], nowMs: number): Enforcement {
  const now = timestamp(nowMs);
  const peps = points
    .filter(({ until }) => until > now)
    .map(
      ({ id, registeredBy }): Asked => ({
        id,
        registeredBy,
        requestedAt: now,
        ackAt: null,
        outcome: null,
        detail: null,
      }),
    );
  if (peps.length === 0) return { state: "unconfirmed", deadlineAt: null, peps };
  return { state: "pending", deadlineAt: timestamp(nowMs + ACKNOWLEDGE_WITHIN), peps };
}

/**
 * Adds the acknowledgement of a point. A point that was not asked is added too, because it has enforced the decision.
 */
export function acknowledged(
  enforcement: Enforcement,
  answer: {
    readonly pepId: string;
    readonly by: string;
    readonly outcome: Asked["outcome"];
    readonly detail: string | null;
  },
  now: string,
): Enforcement {
  const { pepId: id, by: registeredBy, outcome, detail } = answer;
  const earlier = enforcement.peps.find((pep) => pep.id === id);
  const pep: Asked = { id, registeredBy, requestedAt: earlier?.requestedAt ?? now, ackAt: now, outcome, detail };
  const peps = earlier ? enforcement.peps.map((one) => (one.id === id ? pep : one)) : [...enforcement.peps, pep];
  const waits = enforcement.state === "pending" && peps.some(({ ackAt }) => ackAt === null);
  return waits ? { ...enforcement, peps } : concluded({ ...enforcement, peps });
}

/** The final state of the enforcement, when no acknowledgement is awaited any more. */
export function concluded({ peps }: Enforcement): Enforcement {
  const enforced = peps.filter(({ outcome }) => outcome === "enforced").length;
  const failed = peps.some(({ outcome }) => outcome === "failed");
  const confirmed = enforced > 0 && enforced === peps.length;
  const state = confirmed ? "confirmed" : enforced > 0 ? "partial" : failed ? "failed" : "unconfirmed";
  return { state, deadlineAt: null, peps };
}

/** The points after a heartbeat of one, without expired ones. */
export function withPoint(
  points: readonly Point[],
  { id, registeredBy }: Pick<Point, "id" | "registeredBy">,
  nowMs: number,
  seconds: number,
): Point[] {
  const now = timestamp(nowMs);
  const others = points.filter((point) => point.id !== id && point.until > now);
  const registeredAt = points.find((point) => point.id === id && point.until > now)?.registeredAt ?? now;
  return [...others, { id, registeredBy, registeredAt, seenAt: now, until: timestamp(nowMs + seconds * 1_000) }];
}
