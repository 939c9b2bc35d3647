/** How many hold this turn of the event loop. */
let holding = 0;

/**
 * Keeps work from yielding until the returned function is called. For a store whose lock must not outlast a turn of the
 * event loop, because a statement of the host's in the next one would wait for it and hold the process.
 */
export function holdTurn(): () => void {
  holding += 1;
  return () => {
    holding -= 1;
  };
}

/** Whether a store holds this turn, so that work must not yield. */
export function isTurnHeld(): boolean {
  return holding > 0;
}
