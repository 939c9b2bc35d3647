import { onTestFinished, TestRunner } from "vitest";

/** What goes with the file; what a test makes goes with the test. */
const lasting: (() => Promise<void>)[] = [];

/** Calls `undo` when the running test ends, or with the file when a hook or the file itself runs. The last one comes first. */
export function undoLater(undo: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(undo);
  else lasting.push(undo);
}

/** Undoes what goes with the file that has ended. */
export async function undoLasting(): Promise<void> {
  for (const undo of lasting.splice(0).reverse()) await undo();
}
