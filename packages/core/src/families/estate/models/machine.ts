import { defineMachine } from "#kernel/operation/guard.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";

/** Days before its retirement by the provider from which a model is `retiring`. */
export const NOTICE_DAYS = 90;

/** The provider's plan for a model. It depends on `providerRetirementAt` and the time only. */
export const providerStatus = defineMachine()({
  name: "providerStatus",
  field: "providerStatus",
  eventType: "model.provider_status.changed",
  states: {
    in_service: "No end is known, or it is far away.",
    retiring: `Its provider takes it out of service within ${NOTICE_DAYS} days.`,
    retired: "Its provider has taken it out of service.",
  },
  initial: ["in_service"],
  guards: {},
  transitions: [
    { event: "approach", from: ["in_service"], to: "retiring", automatic: true },
    { event: "pass", from: ["in_service", "retiring"], to: "retired", automatic: true },
    { event: "postpone", from: ["retiring", "retired"], to: "in_service", automatic: true },
    { event: "postpone", from: ["retired"], to: "retiring", automatic: true },
  ],
});

type State = keyof typeof providerStatus.states;

/** The fields of a model about its provider's plan. */
export interface Planned {
  readonly providerRetirementAt: string | null;
  readonly providerStatus: State;
}

/** When the provider's status changes next. `null` for never. */
export function providerDueAt({ providerRetirementAt: at, providerStatus: state }: Planned): string | null {
  if (at === null || state === "retired") return null;
  return state === "retiring" ? at : noticeAt(at);
}

/** The provider's status at `now`. */
export function providerStatusAt(at: string | null, now: string): State {
  if (at === null || noticeAt(at) > now) return "in_service";
  return at > now ? "retiring" : "retired";
}

function noticeAt(at: string): string {
  return timestamp(Math.max(0, Date.parse(at) - daysMs(NOTICE_DAYS)));
}
