import { callConnector } from "#connectors/call/call.js";
import type { CallFacts, InstanceParts } from "#connectors/call/parts.js";
import type { Capability } from "#connectors/capabilities.js";
import type { Connector } from "#connectors/connector.js";
import type { ConnectorContext } from "#connectors/context.js";
import { ConnectorError, type ErrorClass } from "#connectors/error.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { notFound } from "#kernel/http/errors.js";
import { asOf } from "#kernel/records/as-of.js";
import { timestamp } from "#ports/clock.js";
import { noteCall } from "../../instances/health/note.js";
import { verdictOf } from "../../instances/health/streak.js";
import { type ConnectorInstance, instances } from "../../instances/schema.js";
import { countCall } from "../../traffic/record-traffic.js";
import { admitOutbound } from "../limits/admit.js";
import { bulkheads } from "../limits/bulkheads.js";
import { instanceParts } from "../parts/parts.js";
import { connectorFailureOf } from "./failure.js";

const CONCURRENCY = 4;
/** Statuses in which an instance is tested. Only an active one is called for anything else. */
const TESTED = new Set<ConnectorInstance["status"]>(["draft", "active", "disabled", "maintenance"]);

/** One call of a stored instance. */
export interface InstanceCall extends CallFacts {
  readonly tenantId: string;
  readonly instanceId: string;
}

/** What an instance that is deleted is still called for: the end of access that it gave. */
const ENDS: ReadonlySet<Capability> = new Set(["revoke", "verify", "sessions"]);

type Run<T> = (connector: Connector, ctx: ConnectorContext) => Promise<T>;

/** Calls connectors for stored instances. Never within a transaction. */
class ConnectorCalls {
  constructor(readonly env: Environment) {}

  /**
   * Calls one method of an instance's connector. Rejects with `ConnectorError` only, except that 404 tells of no
   * instance. How it ends counts towards the health of the instance; that of a test is told by its checks.
   */
  async call<T>(call: InstanceCall, run: Run<T>): Promise<T> {
    const { tenantId, instanceId, capability } = call;
    const instance = await this.#instance(tenantId, instanceId);
    try {
      const connector = this.#connector(instance, capability);
      const parts = instanceParts(this.env, tenantId, instance, connector);
      const result = await this.run(connector, parts, call, run);
      if (capability !== "test") await noteCall(this.env, tenantId, instance, { verdict: "works" });
      return result;
    } catch (error) {
      const failure = connectorFailureOf(error, capability);
      const verdict = verdictOf(failure, capability);
      if (verdict) await noteCall(this.env, tenantId, instance, { verdict, failure, isTest: capability === "test" });
      throw failure;
    }
  }

  /** Calls a connector within the limits of its instance, and only while calls to the outside are admitted. */
  async run<T>(connector: Connector, parts: InstanceParts, facts: CallFacts, run: Run<T>): Promise<T> {
    const { tenantId, instanceId } = parts;
    const within = this.env.use(bulkheads);
    const concurrency = connector.manifest.limits?.concurrency ?? CONCURRENCY;
    const bulkhead = within.of(tenantId, instanceId ?? `draft of ${connector.manifest.providerKey}`, concurrency);
    return within.within(tenantId, bulkhead, async () => {
      await admitOutbound(this.env);
      const isTest = facts.capability === "test";
      if (!isTest) bulkhead.breaker.enter(this.env.clock.now());
      const began = performance.now();
      const count = (failed?: ErrorClass) =>
        instanceId &&
        countCall(this.env, {
          tenantId,
          connectorInstanceId: instanceId,
          source: isTest ? "probe" : "traffic",
          milliseconds: performance.now() - began,
          ...(failed ? { failed } : {}),
        });
      let works: boolean | undefined;
      try {
        const result = await callConnector(connector, parts, facts, run);
        works = true;
        count();
        return result;
      } catch (error) {
        works = worksAfter(error, facts.capability);
        count(connectorFailureOf(error, facts.capability).errorClass);
        throw error;
      } finally {
        if (!isTest || works) bulkhead.breaker.leave(works, this.env.clock.now());
      }
    });
  }

  async #instance(tenantId: string, instanceId: string): Promise<ConnectorInstance> {
    const row = await this.env.store.forTenant(tenantId).get(instances, instanceId);
    if (!row) throw notFound();
    return asOf(instances, row, timestamp(this.env.clock.now()));
  }

  #connector({ providerKey, status }: ConnectorInstance, capability: CallFacts["capability"]): Connector {
    const connector = this.env.connectors.get(providerKey);
    if (!connector)
      throw new ConnectorError("config", "The connector is not there any more.", { code: "connector_missing" });
    if (status === "active" || (capability === "test" && TESTED.has(status))) return connector;
    if (status === "deleting" && ENDS.has(capability)) return connector;
    throw new ConnectorError("config", `The instance is ${status}.`, { code: "instance_not_active" });
  }
}

/** What the failure of a call says to the breaker. */
function worksAfter(error: unknown, capability: Capability): boolean | undefined {
  const verdict = verdictOf(error, capability);
  if (verdict === undefined) return undefined;
  return verdict !== "fails" || (ConnectorError.is(error) && error.errorClass === "rate_limited");
}

export const connectorCalls = defineService("connectors.calls", (env) => new ConnectorCalls(env));
