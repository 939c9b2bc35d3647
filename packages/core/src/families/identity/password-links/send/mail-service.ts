import { type BoundedGate, boundedGate } from "../../../../kernel/async/bounded-gate.js";
import { defineService, type Environment } from "../../../../kernel/config/environment.js";
import { ReeveError } from "../../../../kernel/http/errors.js";
import type { Mail } from "../../../../ports/mailer.js";

/** How long a mail may take to be handed over, in milliseconds. */
const PATIENCE = 10_000;
const AT_ONCE = 8;
const WAITING = 64;

/** Hands mails over with bounds on time and number, whatever the mailer does. Never called within a transaction. */
class MailService {
  readonly #gate: BoundedGate = boundedGate(AT_ONCE, WAITING);

  constructor(readonly env: Environment) {}

  /** 501 `not_configured` unless there is a mailer. */
  require(): void {
    if (!this.env.mailer) throw new ReeveError("not_configured", "This service cannot send mail.");
  }

  /** 502 `connector_error` when the mail was not taken over in time or at all, 503 `overloaded` when too many wait. */
  async send(mail: Mail): Promise<void> {
    const { mailer } = this.env;
    if (!mailer) throw new ReeveError("not_configured", "This service cannot send mail.");
    await this.#gate(() => inTime(mailer.send(mail)));
  }
}

async function inTime(sending: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not taken over in ${PATIENCE} ms`)), PATIENCE);
  });
  try {
    await Promise.race([sending, late]);
  } catch (cause) {
    throw new ReeveError("connector_error", "The mail could not be handed over.", { cause });
  } finally {
    clearTimeout(timer);
  }
}

export const mailService = defineService("identity.mailService", (env) => new MailService(env));
