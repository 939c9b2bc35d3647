import { optionsOf } from "#families/options.js";
import { KeyedCoalescer } from "#kernel/async/keyed-coalescer.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import type { Mail } from "#ports/mailer.js";
import { budgets } from "../../attempts/limit/budgets.js";
import type { Budget } from "../../attempts/limit/counters.js";
import { budgetOf } from "../../attempts/limit/gate.js";
import { credentials } from "../../users/passwords/credentials.js";
import { foldUsername, users } from "../../users/schema.js";
import { LINK_LIFETIME, MAIL_TRIES, mailDelay, stillStands } from "../rules.js";
import { type PasswordLink, passwordLinks } from "../schema.js";
import { mailService } from "./mail-service.js";
import { linkMail } from "./mails.js";
import { linkTokenHash, newLinkToken } from "./token.js";

const BATCH = 100;
/** The most links mailed to one address in an hour: by one tenant, and by all. */
const MAILS_PER_HOUR = { tenant: 5, all: 25 } as const;

/** Sends the mails of issued links: after the commit, and failed ones again from `tick`. */
class MailDispatcher {
  #listening = false;
  readonly #runs = new KeyedCoalescer<number>();

  constructor(readonly env: Environment) {}

  /** Starts sending mails after each commit that issues links. */
  listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.env.onCommit(({ tenantId, collections }) => {
      if (!collections.has(passwordLinks.name)) return;
      this.deliver(tenantId).catch((error: unknown) => {
        this.env.logger.warn({ error: String(error) }, "mails wait for the next tick");
      });
    });
  }

  /** Sends due mails of one tenant, one run at a time. Returns how many were accepted by the mailer. */
  deliver(tenantId: string): Promise<number> {
    return this.#runs.run(tenantId, () => this.#deliverDue(tenantId));
  }

  async #deliverDue(tenantId: string): Promise<number> {
    if (!this.env.mailer) return 0;
    const { rows } = await this.env.store.forTenant(tenantId).find(passwordLinks, {
      where: { mail: "due" },
      order: { by: "nextTryAt", direction: "asc" },
      range: { through: timestamp(this.env.clock.now()) },
      size: BATCH,
    });
    let sent = 0;
    for (const { id } of rows) if (await this.#deliverOne(tenantId, id)) sent += 1;
    return sent;
  }

  async #deliverOne(tenantId: string, userId: string): Promise<boolean> {
    const claimed = await this.#claim(tenantId, userId);
    if (!claimed) return false;
    const wait = await this.env.use(budgets).spend(addressBudgets(this.env, tenantId, claimed.mail.to));
    if (wait > 0) {
      await this.#recordOutcome(tenantId, claimed.link, { tries: claimed.link.tries - 1, nextTryAt: this.#in(wait) });
      return false;
    }
    try {
      await this.env.use(mailService).send(claimed.mail);
    } catch (error) {
      this.env.logger.warn({ userId, tries: claimed.link.tries, error: String(error) }, "a link could not be mailed");
      if (claimed.link.tries >= MAIL_TRIES) await this.#recordOutcome(tenantId, claimed.link, { mail: "failed" });
      return false;
    }
    await this.#recordOutcome(tenantId, claimed.link, { mail: "sent" });
    return true;
  }

  /**
   * Claims the mail, so that no other process sends it, and creates a new token, of which only a hash is stored. An
   * invalid link is deleted.
   */
  #claim(tenantId: string, userId: string): Promise<{ link: PasswordLink; mail: Mail } | undefined> {
    const token = newLinkToken();
    return systemContext(this.env, tenantId, "mail").write(async (ctx) => {
      const previous = (await ctx.db.get(passwordLinks, userId))?.value;
      if (previous?.mail !== "due" || previous.nextTryAt > ctx.now) return undefined;
      const user = (await ctx.db.get(users, userId))?.value;
      const credential = (await ctx.db.get(credentials, userId))?.value;
      if (!user || !stillStands(previous, user, credential)) {
        await ctx.remove(passwordLinks, previous);
        return undefined;
      }
      const tries = previous.tries + 1;
      const link = await ctx.update(passwordLinks, previous, {
        tokenHash: linkTokenHash(this.env, token),
        expiresAt: timestamp(ctx.request.nowMs + LINK_LIFETIME[previous.purpose]),
        tries,
        nextTryAt: this.#in(mailDelay(tries)),
      });
      return { link, mail: linkMail(optionsOf(this.env), user, link.purpose, token) };
    });
  }

  async #recordOutcome(
    tenantId: string,
    { id, tokenHash }: PasswordLink,
    outcome: Partial<PasswordLink>,
  ): Promise<void> {
    await systemContext(this.env, tenantId, "mail").write(async (ctx) => {
      const previous = (await ctx.db.get(passwordLinks, id))?.value;
      if (previous?.tokenHash === tokenHash) await ctx.update(passwordLinks, previous, outcome);
    });
  }

  #in(milliseconds: number): string {
    return timestamp(this.env.clock.now() + milliseconds);
  }
}

/** The limits of mails per address, so that nobody can be flooded, and no tenant uses up what another has. */
function addressBudgets(env: Environment, tenantId: string, address: string): readonly Budget[] {
  const to = foldUsername(address);
  return [
    budgetOf(env, ["link mail", to, tenantId], MAILS_PER_HOUR.tenant, hoursMs(1)),
    budgetOf(env, ["link mail", to], MAILS_PER_HOUR.all, hoursMs(1)),
  ];
}

export const mailDispatcher = defineService("identity.mailDispatcher", (env) => new MailDispatcher(env));
