import { type BoundedGate, boundedGate } from "#kernel/async/bounded-gate.js";
import { inTime } from "#kernel/async/in-time.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Mail } from "#ports/mailer.js";

const AT_ONCE = 8;
const WAITING = 64;

/** Passes mails to the mailer with limits on time and concurrency. Never call it within a transaction. */
class MailService {
  readonly #gate: BoundedGate = boundedGate(AT_ONCE, WAITING);

  constructor(readonly env: Environment) {}

  /** 501 `not_configured` without a mailer. */
  require(): void {
    if (!this.env.mailer) throw new ReeveError("not_configured", "This service cannot send mail.");
  }

  /** 502 `connector_error` when the mailer fails or takes too long, 503 `overloaded` when too many mails wait. */
  async send(mail: Mail): Promise<void> {
    const { mailer, options } = this.env;
    if (!mailer) throw new ReeveError("not_configured", "This service cannot send mail.");
    await this.#gate(async () => {
      try {
        await inTime(options.hostCallTimeoutMs, () => mailer.send(mail));
      } catch (cause) {
        throw new ReeveError("connector_error", "The mail could not be handed over.", { cause });
      }
    });
  }
}

export const mailService = defineService("identity.mailService", (env) => new MailService(env));
