import type { Mail, Mailer } from "@reeve/core";

/** A mailer that keeps what it is given, in the order it came. */
export class Mailbox implements Mailer {
  readonly mails: Mail[] = [];
  #arrived: (() => void)[] = [];

  async send(mail: Mail): Promise<void> {
    this.mails.push(mail);
    for (const tell of this.#arrived.splice(0)) tell();
  }

  to(address: string): Mail[] {
    return this.mails.filter((mail) => mail.to === address);
  }

  /** The `count`th mail to this address (the first unless said), as soon as it is there. */
  async next(address: string, count = 1): Promise<Mail> {
    for (;;) {
      const mail = this.to(address)[count - 1];
      if (mail) return mail;
      await new Promise<void>((resolve) => this.#arrived.push(resolve));
    }
  }
}

/** The one-time code that stands in a mail. */
export function codeIn({ text }: Pick<Mail, "text">): string {
  return found(/^ +(\d{8})$/m, text);
}

/** The token of the link that stands in a mail. */
export function linkTokenIn({ text }: Pick<Mail, "text">): string {
  return found(/#token=([\w-]+)/, text);
}

function found(pattern: RegExp, text: string): string {
  const match = pattern.exec(text);
  if (!match) throw new Error(`the mail does not hold ${pattern}`);
  return match[1] as string;
}
