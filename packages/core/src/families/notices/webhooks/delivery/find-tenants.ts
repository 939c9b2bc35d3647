import { boundedCache } from "#kernel/async/bounded-cache.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { deliveries } from "#kernel/events/outbox.js";
import { minutesMs } from "#ports/durations.js";
import { webhooks } from "../schema.js";
import { sendToWebhooks } from "./send-to-webhooks.js";

const TENANTS = 100_000;
/** How long it is taken for true that a tenant has none, where the store does not tell of other processes. */
const LIFETIME = minutesMs(1);

/** Which tenants have webhooks that are active, so that the commits of others start nothing. */
class WebhookTenants {
  readonly #known = boundedCache<string, { readonly hasAny: boolean; readonly readAt: number }>(TENANTS);
  #changes = 0;

  constructor(readonly env: Environment) {
    env.onBroadcast([webhooks], (tenantId) => {
      this.#changes += 1;
      if (tenantId === undefined) this.#known.clear();
      else this.#known.delete(tenantId);
    });
    env.onCommit(({ tenantId }) => {
      if (this.mayHaveAny(tenantId)) this.#sendNow(tenantId);
    });
  }

  /** Whether a tenant has any. One that was not asked yet may have some. */
  mayHaveAny(tenantId: string): boolean {
    const known = this.#known.get(tenantId);
    return known?.hasAny !== false || this.env.clock.now() - known.readAt > LIFETIME;
  }

  async hasAny(tenantId: string): Promise<boolean> {
    if (!this.mayHaveAny(tenantId)) return false;
    const [readAt, seen] = [this.env.clock.now(), this.#changes];
    const query = { where: { status: "active" }, size: 1 } as const;
    const hasAny = (await this.env.store.forTenant(tenantId).find(webhooks, query)).rows.length > 0;
    if (seen === this.#changes) this.#known.set(tenantId, { hasAny, readAt });
    return hasAny;
  }

  #sendNow(tenantId: string): void {
    this.send(tenantId).catch((error: unknown) => {
      this.env.logger.warn({ error: String(error), tenantId }, "webhooks wait for the next tick");
    });
  }

  /** Sends what waits for the webhooks of a tenant. Calls during a run share one run after it. Returns how many were sent. */
  async send(tenantId: string): Promise<number> {
    const { sent } = await this.env.use(deliveries).run(`webhooks ${tenantId}`, async (isOpen) => {
      const done = (await this.hasAny(tenantId)) ? await sendToWebhooks(this.env, tenantId, isOpen) : 0;
      return { sent: done, goesOn: false };
    });
    return sent;
  }
}

export const webhookTenants = defineService("notices.webhookTenants", (env) => new WebhookTenants(env));
