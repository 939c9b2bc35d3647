import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** What was due to one up to a moment, and whether it was sent. */
export interface Sent {
  readonly id: string;
  readonly through: string;
  readonly isSent: boolean;
}

/** How people, or channels of a chat, are sent what is due to them. */
export interface Delivery {
  /**
   * Writes what is due up to a moment. Returns how to send it, which rejects where it is not taken and is never called within a
   * transaction; `undefined` where nothing is due, once what has ended is left out.
   */
  write(newContext: () => OutsideContext, id: string, through: string): Promise<(() => Promise<void>) | undefined>;
  /** Ids of the first hundreds that are due up to a moment. None once all are noted. */
  due(ctx: ReadContext, id: string, through: string): Promise<readonly string[]>;
  /** Notes some of them as sent or left out. */
  note(ctx: Context, some: readonly string[], sent: Sent): Promise<void>;
  /** When the next is due; `null` for never. */
  next(ctx: ReadContext, id: string): Promise<string | null>;
}
