import { onTestFinished, TestRunner } from "vitest";

/** Cleanups for the end of the file. Those of a test run at its end. */
const lasting: (() => Promise<void>)[] = [];

/** Calls `undo` at the end of the running test, or of the file outside of tests. The last one runs first. */
export function undoLater(undo: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(undo);
  else lasting.push(undo);
}

/** Runs the cleanups of a file at its end. */
export async function undoLasting(): Promise<void> {
  for (const undo of lasting.splice(0).reverse()) await undo();
}
