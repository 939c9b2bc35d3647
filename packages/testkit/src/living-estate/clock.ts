import type { Clock } from "@reeve/core";

const DAY = 86_400_000;

/** How long the organisation of a living estate has used Reeve, in milliseconds. */
export const LIVED = 30 * DAY;

/** A clock that can be moved on. */
export interface LivingClock extends Clock {
  advance(milliseconds: number): void;
}

/** The time of the system as it was when the organisation began. A living estate moves it on to the present. */
export function livingClock(): LivingClock {
  let behind = LIVED;
  return {
    now: () => Date.now() - behind,
    advance: (milliseconds) => {
      behind -= milliseconds;
    },
  };
}

/** Moves on by these days. */
export function passDays(clock: LivingClock, days: number): void {
  clock.advance(days * DAY);
}
