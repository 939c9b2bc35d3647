import type { Mail, Mailer } from "@reeve/core";
import { Arrivals } from "../mail/arrivals.js";

/** A mailer that keeps its mails in order. */
export class Mailbox implements Mailer {
  readonly #arrivals = new Arrivals<Mail>();

  get mails(): readonly Mail[] {
    return this.#arrivals.all;
  }

  async send(mail: Mail): Promise<void> {
    this.#arrivals.add(mail);
  }

  /** The `count`th mail to this address (default 1), once it has arrived. */
  next(address: string, count = 1): Promise<Mail> {
    return this.#arrivals.next((mail) => mail.to === address, count);
  }
}

/** The one-time code in a mail. */
export function codeIn({ text }: Pick<Mail, "text">): string {
  return found(/^ +(\d{8})$/m, text);
}

/** The token of the link in a mail. */
export function linkTokenIn({ text }: Pick<Mail, "text">): string {
  return found(/#token=([\w-]+)/, text);
}

function found(pattern: RegExp, text: string): string {
  const match = pattern.exec(text);
  if (!match) throw new Error(`the mail does not hold ${pattern}`);
  return match[1] as string;
}
