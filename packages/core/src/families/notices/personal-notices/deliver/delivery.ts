import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** What was looked at for one message. */
export interface Written {
  /** All of it, listed in the message or left out. What becomes due while the message is sent is not among it. */
  readonly ids: readonly string[];
  /** Sends the message. Rejects where it is not taken, and is never called within a transaction. `undefined` where none is to be sent. */
  readonly send: (() => Promise<void>) | undefined;
}

/** Whom a message was for, up to when it was due, and whether it was sent. */
export interface Sent {
  readonly id: string;
  readonly through: string;
  readonly isSent: boolean;
}

/** How people, or channels of a chat, are sent what is due to them. */
export interface Delivery {
  /** Writes what is due up to a moment, once what has ended is left out. */
  write(newContext: () => OutsideContext, id: string, through: string): Promise<Written>;
  /** Notes some of what was looked at as sent or left out. */
  note(ctx: Context, some: readonly string[], sent: Sent): Promise<void>;
  /** When the next is due; `null` for never. */
  next(ctx: ReadContext, id: string): Promise<string | null>;
}
