import type { QuotaClaim, QuotaGrant } from "../quota.js";

/** Expired quotas are deleted after this many claims. */
const SWEEP_EVERY = 1_000;

interface Quota {
  readonly until: number;
  readonly used: number;
}

/** How much of every quota is used. */
export class Quotas {
  readonly #known = new Map<string, Quota>();
  #claims = 0;

  copy(): Quotas {
    const copied = new Quotas();
    for (const [name, quota] of this.#known) copied.#known.set(name, quota);
    return copied;
  }

  reserve(tenantId: string, claim: QuotaClaim, now: number): QuotaGrant {
    this.#claims += 1;
    if (this.#claims % SWEEP_EVERY === 0) this.#sweep(now);
    const { limit, spent, wanted } = claim;
    const name = JSON.stringify([tenantId, claim.key]);
    const known = this.#known.get(name);
    const base = known && known.until >= claim.until ? known.used : 0;
    const granted = Math.max(0, Math.min(wanted, limit - base - spent));
    const used = base + spent + granted;
    this.#known.set(name, { until: Math.max(known?.until ?? 0, claim.until), used });
    return { granted, left: Math.max(0, limit - used) };
  }

  forget(tenantId: string): void {
    for (const name of this.#known.keys()) if (JSON.parse(name)[0] === tenantId) this.#known.delete(name);
  }

  #sweep(now: number): void {
    for (const [name, { until }] of this.#known) if (until < now) this.#known.delete(name);
  }
}
