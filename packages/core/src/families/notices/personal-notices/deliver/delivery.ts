import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";

/** How people, or channels of a chat, are sent what is due to them. */
export interface Delivery {
  /**
   * Writes what is due up to a moment. Returns how to send it, which rejects where it is not taken and is never called within a
   * transaction; `undefined` where nothing is due, once what has ended is left out.
   */
  write(newContext: () => OutsideContext, id: string, through: string): Promise<(() => Promise<void>) | undefined>;
  /** Notes some of what was due as sent or left out. Tells whether that is all, and when the next is due. */
  note(
    ctx: Context,
    id: string,
    through: string,
    isSent: boolean,
  ): Promise<{ readonly isAll: boolean; readonly next: string | null }>;
}
