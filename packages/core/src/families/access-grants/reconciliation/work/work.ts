import { callMilliseconds } from "#connectors/call/call.js";
import {
  type ApplyResult,
  type Capability,
  type Connector,
  type ConnectorContext,
  ConnectorError,
  type VerifyResult,
} from "#connectors/index.js";
import { accessResources } from "#families/access/index.js";
import { connectorCalls, instances, jobFailure } from "#families/connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { believed } from "../believed-state.js";
import type { AccessReconciliation } from "../schema.js";
import { heldReconciliation } from "./continue.js";
import { settleAccepted, settleOther, stayExternal, wait } from "./external.js";
import { settleFailure } from "./fail.js";
import { holdersOf } from "./holders.js";
import { intend, specOf } from "./intend.js";
import { type Seen, settleAbsent, settlePresent } from "./settle.js";

/** `gone`: the resource itself is, so that nobody can have access to it. */
type Sight = AccessReconciliation["targetState"] | "gone";

type Run<T> = (connector: Connector, ctx: ConnectorContext) => Promise<T>;

const DECLINED = { errorClass: "declined", message: "The target declined it." } as const;

/** One reconciliation that this process holds, and its connector. */
class ReconciliationWork {
  constructor(
    readonly env: Environment,
    readonly ctx: OutsideContext,
    readonly reconciliation: AccessReconciliation,
    readonly connector: Connector,
  ) {}

  /** Looks at the target, and changes it where it differs from what is wanted. */
  async run(): Promise<void> {
    const { reconciliation, connector, ctx } = this;
    if (reconciliation.externalOpRef !== null && connector.pollOperation)
      return this.#poll(reconciliation.externalOpRef);
    const seen = await this.#look();
    if (seen === "later") return ctx.write((inner) => wait(inner, reconciliation));
    const renews = reconciliation.renew && reconciliation.wanted === "present" && seen === "present";
    if (!renews && !this.#isTurned && (await this.#isAsWanted(seen)))
      return this.#settle(reconciliation, { from: "verify", state: seen === "gone" ? "absent" : seen });
    if (reconciliation.externalOpRef !== null && reconciliation.acting === this.#writing)
      return ctx.write((inner) => stayExternal(inner, reconciliation));
    const intent = await ctx.write((inner) => intend(inner, reconciliation, seen === "gone" ? "absent" : seen));
    if (!intent) return;
    const result = await this.#call(renews && connector.modify ? "modify" : this.#writing, async (on, to) => {
      this.#requireTime(intent.reconciliation);
      if (renews && on.modify) return on.modify(to, intent.spec, intent.spec);
      return reconciliation.wanted === "present" ? on.grant?.(to, intent.spec) : on.revoke?.(to, intent.spec);
    });
    return this.#applied(intent.reconciliation, result as ApplyResult);
  }

  /** A write that could end after its reconciliation is reserved may be made by another process by then. */
  #requireTime({ dueAt }: AccessReconciliation): void {
    if (dueAt !== null && dueAt > timestamp(this.ctx.env.clock.now() + callMilliseconds(this.connector))) return;
    throw new ConnectorError("transient", "It waited for its turn for too long.", { code: "overloaded" });
  }

  /** Asks what became of a write that the target does later. One that is not wanted any more is withdrawn. */
  async #poll(externalOpRef: string): Promise<void> {
    const { reconciliation, ctx } = this;
    const was = reconciliation.acting ?? this.#writing;
    const result = await this.#polled(externalOpRef);
    if (was === this.#writing) return this.#applied(reconciliation, result);
    if (result.outcome !== "accepted") return ctx.write((inner) => settleOther(inner, reconciliation, result));
    return was === "grant" ? this.#withdraw(externalOpRef) : this.#applied(reconciliation, result);
  }

  /** Asks under what is wanted now, which is all that a connection still does that is being deleted. */
  #polled(externalOpRef: string): Promise<ApplyResult> {
    return this.#call(this.#writing, (on, to) => on.pollOperation?.(to, externalOpRef) as Promise<ApplyResult>);
  }

  /** Revokes a grant that the target has taken on and not made, and asks whether it makes it all the same. */
  async #withdraw(externalOpRef: string): Promise<void> {
    const { reconciliation, ctx } = this;
    const spec = specOf(reconciliation, await holdersOf(ctx, reconciliation), ctx.env.clock.now());
    const revoked = await this.#call("revoke", async (on, to) => {
      this.#requireTime(reconciliation);
      return on.revoke?.(to, spec) as Promise<ApplyResult>;
    });
    // Of two things that the target does later, the last one it was asked for counts.
    if (revoked.outcome === "accepted")
      return ctx.write((inner) => settleAccepted(inner, reconciliation, revoked, "revoke"));
    const left = await this.#polled(externalOpRef);
    if (left.outcome === "accepted") return this.#applied(reconciliation, left);
    return ctx.write((inner) => settleOther(inner, reconciliation, left));
  }

  get #writing(): "grant" | "revoke" {
    return this.reconciliation.wanted === "present" ? "grant" : "revoke";
  }

  /** Whether the target still works on the opposite of what is wanted, so that what it has now will not stay. */
  get #isTurned(): boolean {
    const { externalOpRef, acting } = this.reconciliation;
    return externalOpRef !== null && acting !== null && acting !== this.#writing;
  }

  /**
   * Whether nothing is to be done. What may have been granted from here is taken away whatever the target shows, and
   * what it took without showing it is not granted over and over.
   */
  async #isAsWanted(seen: Sight): Promise<boolean> {
    const { reconciliation, ctx } = this;
    if (seen === "gone") return reconciliation.wanted === "absent";
    if (reconciliation.wanted === "absent") {
      const isTouched = reconciliation.granted || (seen === "unknown" && reconciliation.preExisting);
      return !isTouched && (seen === "absent" || seen === "unknown");
    }
    if (seen !== "unknown" || reconciliation.hiddenSince === null || reconciliation.acting !== null)
      return seen === "present";
    const { holding } = await holdersOf(ctx, reconciliation);
    return !holding.some(({ status, notBefore }) => status === "pending" && notBefore <= ctx.now);
  }

  /** What the target has now. `later`: what it shows may be older than the last write. */
  async #look(): Promise<Sight | "later"> {
    const { reconciliation, connector, ctx } = this;
    // Without a way to ask, its last word is all there is, unless a write may have happened since.
    if (!connector.verify) return reconciliation.acting === null ? reconciliation.targetState : "unknown";
    const seen = await this.#verify();
    if (typeof seen === "string") return seen;
    const isOld = !seen.authoritative && reconciliation.settledUntil !== null && reconciliation.settledUntil > ctx.now;
    if (!isOld) return believed(ctx, reconciliation, seen.presence);
    return reconciliation.acting === null && reconciliation.targetState !== "unknown"
      ? reconciliation.targetState
      : "later";
  }

  /** What the target shows; `unknown` when it cannot tell. */
  async #verify(): Promise<VerifyResult | "unknown" | "gone"> {
    const { reconciliation, ctx } = this;
    const spec = specOf(reconciliation, await holdersOf(ctx, reconciliation), ctx.env.clock.now());
    try {
      return await this.#call("verify", (on, to) => on.verify?.(to, spec) as Promise<VerifyResult>);
    } catch (error) {
      if (!ConnectorError.is(error)) throw error;
      if (error.errorClass === "unsupported") return "unknown";
      if (error.errorClass === "not_found" && (await this.#isRetired())) return "gone";
      throw error;
    }
  }

  /** What the target shows of what it has just done; `undefined` where it cannot be asked, or its copies lag behind. */
  async #afterwards(): Promise<VerifyResult["presence"] | undefined> {
    const { manifest, verify } = this.connector;
    const seen = verify ? await this.#verify() : "unknown";
    if (typeof seen === "string") return undefined;
    const isCopy = !seen.authoritative && (manifest.limits?.propagationSeconds ?? 0) > 0;
    return isCopy ? undefined : seen.presence;
  }

  /** Whether the resource itself is known to be gone, so that nobody can have access to it. */
  async #isRetired(): Promise<boolean> {
    return (await this.ctx.db.get(accessResources, this.reconciliation.resourceId))?.value.status === "retired";
  }

  async #applied(reconciliation: AccessReconciliation, result: ApplyResult): Promise<void> {
    const { ctx } = this;
    if (result.outcome === "accepted") return ctx.write((inner) => settleAccepted(inner, reconciliation, result));
    // What was taken on and is declined in the end was not done either.
    const refused = this.reconciliation.externalOpRef === null ? {} : { granted: false, acting: null };
    if (result.outcome === "declined")
      return ctx.write((inner) =>
        settleFailure(inner, { ...this.reconciliation, ...refused, asked: reconciliation.asked }, DECLINED),
      );
    if (reconciliation.wanted === "present") {
      const seen = await this.#afterwards().catch(unlessRefused);
      const isShown = seen === "present" || seen === "mismatch";
      const state = seen === undefined || isShown ? "present" : "unknown";
      const externalGrantId = result.grant?.externalGrantId;
      return this.#settle(reconciliation, { from: "grant_result", state, isShown, externalGrantId });
    }
    const seen = await this.#afterwards();
    if (seen === "present")
      throw new ConnectorError("outcome_unknown", "The target says that it is revoked, and still shows it.");
    // Without a way to ask, its word is all there is.
    const state = this.connector.verify
      ? await believed(ctx, reconciliation, seen === "unknown" ? seen : "absent")
      : "absent";
    return this.#settle(reconciliation, { from: "grant_result", state });
  }

  async #settle(reconciliation: AccessReconciliation, reported: Seen) {
    if (reconciliation.wanted === "present")
      return this.ctx.write((inner) => settlePresent(inner, reconciliation, reported));
    const residualAccess = await this.#endSessions();
    return this.ctx.write((inner) => settleAbsent(inner, reconciliation, { ...reported, residualAccess }));
  }

  /** Ends sessions that are open in the target, as far as it lets anybody do that. */
  async #endSessions(): Promise<"none" | "possible"> {
    if (!this.connector.endSessions) return "possible";
    const { displayName: _name, ...principal } = this.reconciliation.principal;
    try {
      await this.#call("sessions", (on, to) => on.endSessions?.(to, principal) as never);
      return "none";
    } catch (error) {
      if (ConnectorError.is(error)) return "possible";
      throw error;
    }
  }

  #call<T>(capability: Capability, run: Run<T>): Promise<T> {
    const { tenantId } = this.ctx.principal;
    const { id, grantKey, asked, attempts, connectorInstanceId: instanceId } = this.reconciliation;
    const facts = { correlationId: id, idempotencyKey: `${grantKey}:${asked}`, attempt: attempts + 1 };
    return this.env.use(connectorCalls).call({ tenantId, instanceId, capability, ...facts }, run);
  }
}

/** A target that has done something and cannot be asked about it has done it all the same. */
function unlessRefused(error: unknown): undefined {
  if (!ConnectorError.is(error)) throw error;
}

/** Works on a reconciliation that this process holds. What it stores counts only while it does. Never rejects for the target. */
export async function workOn(env: Environment, tenantId: string, reconciliation: AccessReconciliation): Promise<void> {
  const ctx = systemContext(env, tenantId, "provision");
  try {
    const row = await ctx.db.get(instances, reconciliation.connectorInstanceId);
    const connector = row && env.connectors.get(row.value.providerKey);
    if (!connector)
      throw new ConnectorError("config", "The connector is not there any more.", { code: "connector_missing" });
    await new ReconciliationWork(env, ctx, reconciliation, connector).run();
  } catch (error) {
    if (ReeveError.is(error) && error.code === "concurrent_modification") return;
    const fault = jobFailure(error);
    if (!ConnectorError.is(error))
      env.logger.warn(
        { tenantId, reconciliationId: reconciliation.id, error: String(error) },
        "a reconciliation failed",
      );
    await settle(ctx, reconciliation, fault);
  }
}

async function settle(ctx: OutsideContext, reconciliation: AccessReconciliation, fault: ConnectorError): Promise<void> {
  try {
    await ctx.write(async (inner) => {
      await heldReconciliation(inner, reconciliation);
      await settleFailure(inner, reconciliation, fault);
    });
  } catch (error) {
    if (!ReeveError.is(error) || error.code !== "concurrent_modification") throw error;
  }
}
