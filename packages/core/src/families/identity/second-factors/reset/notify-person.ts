import { KeyedCoalescer } from "#kernel/async/keyed-coalescer.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import type { Mail } from "#ports/mailer.js";
import { users } from "../../users/schema.js";
import { type FactorReset, factorResets } from "./schema.js";

const BATCH = 100;
/** How long a mail that fails is tried again by each tick, in milliseconds. */
const TRIED_FOR = daysMs(1);

/** Tells people by mail that their second factors were removed: after the commit, and once more by `tick`. */
class ResetNotices {
  #listening = false;
  readonly #runs = new KeyedCoalescer<number>();

  constructor(readonly env: Environment) {}

  /** Starts sending mails after each commit that removes factors. */
  listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.env.onCommit(({ tenantId, collections }) => {
      if (!collections.has(factorResets.name)) return;
      this.deliver(tenantId).catch((error: unknown) => {
        this.env.logger.warn({ error: String(error) }, "mails wait for the next tick");
      });
    });
  }

  /** Sends due mails of one tenant, one run at a time. Returns how many are settled. */
  deliver(tenantId: string): Promise<number> {
    return this.#runs.run(tenantId, async () => {
      if (!this.env.mailer) return 0;
      const { rows } = await this.env.store.forTenant(tenantId).find(factorResets, {
        where: { mail: "due" },
        order: { by: "decidedAt", direction: "asc" },
        range: { through: timestamp(this.env.clock.now()) },
        size: BATCH,
      });
      let settled = 0;
      for (const { value } of rows) if (await this.#tell(tenantId, value)) settled += 1;
      return settled;
    });
  }

  async #tell(tenantId: string, reset: FactorReset): Promise<boolean> {
    const user = (await this.env.store.forTenant(tenantId).get(users, reset.userId))?.value;
    const isOld = Date.parse(reset.decidedAt ?? "") + TRIED_FOR <= this.env.clock.now();
    try {
      if (user && !isOld) await this.env.mailer?.send(noticeFor(this.env, user.username));
    } catch (error) {
      this.env.logger.warn({ userId: reset.userId, error: String(error) }, "a notice could not be mailed");
      return false;
    }
    await systemContext(this.env, tenantId, "mail").write(async (ctx) => {
      const current = (await ctx.db.get(factorResets, reset.id))?.value;
      if (current?.mail !== "due") return;
      await ctx.update(factorResets, current, { mail: isOld ? "none" : "sent" }, { event: false, stamp: false });
    });
    return true;
  }
}

function noticeFor({ options: { baseUrl } }: Environment, to: string): Mail {
  const { host } = new URL(baseUrl);
  return {
    to,
    subject: `Your second factors at ${host} were removed`,
    text: [
      `Two people of your organisation have removed your second factors at ${host}, and ended all your sign-ins.`,
      "",
      "Sign in with your password, and set up a new one.",
      "If you did not ask for this, tell your administrators at once.",
      "",
    ].join("\n"),
  };
}

export const resetNotices = defineService("identity.resetNotices", (env) => new ResetNotices(env));
