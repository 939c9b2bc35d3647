import { ConnectorError, type ErrorClass, type GrantSpec } from "@reeve/core/connectors";
import { type ConnectorCalls, listAll } from "@reeve/testkit/connectors";

/** What a careful executor does. Each habit can be dropped, to see what it is good for. */
export const CAREFUL = {
  /** Asks the target before it writes, and so after each write whose outcome is not known. */
  verifiesFirst: true,
  /** Takes a write for done when the target says so on being asked, and not before. */
  confirms: true,
  /** Tries again only after failures that may pass. */
  stopsAtRefusals: true,
  /** Concludes from absence only where the listing is complete. */
  needsComplete: true,
};
export type Habits = typeof CAREFUL;

export type Wanted = "present" | "absent";
export type Settled = Wanted | ErrorClass;

const TRIES = 40;
const MAY_PASS: ReadonlySet<ErrorClass> = new Set(["transient", "rate_limited", "outcome_unknown", "conflict"]);

/** A small executor that brings grants to the state that is wanted, by the classes of failures. */
export class Executor {
  /** Writes that were tried although the target had refused one for good. */
  stubborn = 0;
  #refused = false;

  constructor(
    readonly calls: ConnectorCalls,
    readonly habits: Habits = CAREFUL,
  ) {}

  async converge(spec: GrantSpec, wanted: Wanted): Promise<Settled> {
    this.#refused = false;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const settled = await this.#step(spec, wanted, tries).catch((error: unknown) => this.#failed(error));
      if (settled) return settled;
    }
    return "transient";
  }

  /** Grants again what a listing does not show. Returns whether the listing was whole. */
  async repair(specs: readonly GrantSpec[]): Promise<boolean> {
    const seen = new Set<string | undefined>();
    const listed = await listAll(async (page) => {
      const answer = await this.calls.listGrants({}, page);
      for (const { externalGrantId } of answer.items) seen.add(externalGrantId);
      return answer;
    }, 2).catch(() => undefined);
    const whole = listed?.complete ?? false;
    if (!whole && this.habits.needsComplete) return false;
    for (const spec of specs) {
      if (seen.has(spec.grantKey)) continue;
      if (this.habits.needsComplete) await this.converge(spec, "present");
      else await this.calls.grant(spec).catch(() => undefined);
    }
    return whole;
  }

  async #step(spec: GrantSpec, wanted: Wanted, tries: number): Promise<Settled | undefined> {
    const asks = this.habits.verifiesFirst || tries === 0;
    if (asks && (await this.calls.verify(spec)).presence === wanted) return wanted;
    if (this.#refused) this.stubborn += 1;
    const { outcome } = await (wanted === "present" ? this.calls.grant(spec) : this.calls.revoke(spec));
    const done = outcome === "applied" || outcome === "already_applied";
    return done && !(this.habits.confirms && this.habits.verifiesFirst) ? wanted : undefined;
  }

  #failed(error: unknown): ErrorClass | undefined {
    if (!ConnectorError.is(error)) throw error;
    if (MAY_PASS.has(error.errorClass)) return undefined;
    this.#refused = true;
    return this.habits.stopsAtRefusals ? error.errorClass : undefined;
  }
}
