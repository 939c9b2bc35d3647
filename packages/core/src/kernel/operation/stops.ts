import type { Environment } from "../config/environment.js";
import { defineExtensionPoint, type ExtensionPoint } from "../config/extension.js";
import type { Principal } from "../config/principal.js";
import type { EventSpec } from "../events/events.js";
import { CUT } from "../records/reason.js";

/** The least characters of a reason. */
export const REASON_LENGTH = 10;

/** Something that was taken out of use by somebody who has not said enough of why. */
export interface Stop {
  /** What was done, as in `aiSession: terminate`. */
  readonly act: string;
  readonly subject: EventSpec["subject"];
  readonly name: string;
}

/** Keeps in the inbox of whoever stopped that a reason is wanted, in the transaction of the stop. */
export type StopNote = (ctx: never, stop: Stop) => Promise<void>;

/** The area with the inbox contributes its note. */
export const stopNotes: ExtensionPoint<StopNote> = defineExtensionPoint<StopNote>("kernel.stopNotes");

/** How a note names the record that was stopped. */
export function nameOn(record: object): string {
  const { name, id } = record as { readonly name?: string; readonly id: string };
  return name ?? id;
}

/** Whether a text says enough to be a reason. */
export function isReason(reason: string | undefined): reason is string {
  return reason !== undefined && reason.trim().length >= REASON_LENGTH;
}

/**
 * Asks whoever has just stopped something for a reason, unless the one given says enough and is whole. A stop acts at once: a reason
 * can wait, and what it stops cannot.
 */
export async function askForReason(
  ctx: { readonly env: Environment; readonly principal: Principal },
  reason: string | undefined,
  stop: Stop,
): Promise<void> {
  if ((isReason(reason) && !reason.endsWith(CUT)) || ctx.principal.kind === "system") return;
  for (const note of ctx.env.use(stopNotes)) await note(ctx as never, stop);
}
