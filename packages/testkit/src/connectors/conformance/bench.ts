import {
  type ApplyResult,
  type Connector,
  ConnectorError,
  ERROR_CLASSES,
  type ErrorClass,
  type GrantSpec,
} from "@reeve/core/connectors";
import { type CallOptions, type ConnectorCalls, connectorCalls } from "../calls.js";
import type { InstanceMemory } from "../memory.js";
import { type ConnectorParts, type ConnectorPartsOptions, connectorParts } from "../parts.js";
import { type MethodCall, methodCalls } from "./methods.js";
import { Relay } from "./relay.js";
import type { AccessToTry, Address, ConformanceTarget } from "./target.js";

/** Milliseconds that something may take that is to happen at once. */
const PATIENCE = 5_000;
/** Polls of one write that was accepted, at most. */
const POLLS = 20;
const HERE = "127.0.0.1/32";

type PartsChange = Pick<ConnectorPartsOptions, "allow" | "memory" | "secrets"> & { readonly at?: Address };

/** A connector and its target, with a relay between them. */
export class Bench {
  private constructor(
    readonly connector: Connector,
    readonly target: ConformanceTarget,
    readonly relay: Relay,
  ) {}

  static async open(connector: Connector, open: () => Promise<ConformanceTarget>): Promise<Bench> {
    const target = await open();
    return new Bench(connector, target, await Relay.start(target.address));
  }

  async reset(): Promise<void> {
    this.relay.disturb();
    await this.target.reset();
  }

  /** Resets, and has there what the call takes for granted. */
  async ready({ capability }: MethodCall): Promise<void> {
    await this.reset();
    if (capability === "revoke" || capability === "modify") await this.give(this.access.wanted[0]);
  }

  /** Has a grant there, past the relay. */
  give(spec: GrantSpec): Promise<ApplyResult["outcome"]> {
    return this.outcomeOf(this.direct().grant(spec));
  }

  /** The outcome of a write, asked for again where it is accepted first. */
  async outcomeOf(writing: Promise<ApplyResult>): Promise<ApplyResult["outcome"]> {
    let result = await writing;
    for (let polls = 0; result.outcome === "accepted" && polls < POLLS; polls += 1)
      result = await this.direct().pollOperation(result.externalOpRef);
    return result.outcome;
  }

  async close(): Promise<void> {
    await this.relay.stop();
    await this.target.close();
  }

  get methods(): readonly MethodCall[] {
    return methodCalls(this.connector, this.target);
  }

  get access(): AccessToTry {
    if (!this.target.access)
      throw new Error("the target gives no `access` to try, which a connector that grants needs");
    return this.target.access;
  }

  parts({ at = this.relay.address, secrets, ...rest }: PartsChange = {}): ConnectorParts {
    const { target } = this;
    return connectorParts(this.connector, {
      config: target.config(at),
      secrets: secrets ?? target.secrets ?? {},
      allow: [HERE, ...(target.allow ?? [])],
      ...rest,
    });
  }

  /** Calls past the relay, which count as nobody's. */
  direct(): ConnectorCalls {
    return this.calls({ at: this.target.address });
  }

  /** Calls in another process of the same instance. */
  async elsewhere(memory: InstanceMemory): Promise<ConnectorCalls> {
    const connector = (await this.target.reload?.()) ?? this.connector;
    return connectorCalls(connector, this.parts({ memory }));
  }

  calls(change: PartsChange = {}, options: CallOptions = {}): ConnectorCalls {
    return connectorCalls(this.connector, this.parts(change), options);
  }

  /** Makes a call, as any method. */
  make({ method, given }: MethodCall, calls: ConnectorCalls = this.calls()): Promise<unknown> {
    return (calls[method] as (...all: readonly unknown[]) => Promise<unknown>)(...given);
  }

  /**
   * The failure of a call. Throws when the call succeeds, when what it throws is no `ConnectorError`, and when its
   * message quotes a secret or an address.
   */
  async failureOf(call: Promise<unknown>, what: string): Promise<ConnectorError> {
    const error = await call.then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (error === undefined) throw new Error(`${what} did not fail`);
    if (!ConnectorError.is(error)) throw new Error(`${what} failed with no ConnectorError`, { cause: error });
    if (error.code === "unexpected")
      throw new Error(`${what} let an error escape that is no ConnectorError: ${error.cause}`, { cause: error.cause });
    if (!Object.hasOwn(ERROR_CLASSES, error.errorClass))
      throw new Error(`${what} failed with the class ${error.errorClass}, which is not known`);
    this.#quotesNothing(error, what);
    return error;
  }

  /** As `failureOf`, of one of these classes. */
  async failsAs(classes: readonly ErrorClass[], call: Promise<unknown>, what: string): Promise<ConnectorError> {
    const error = await this.failureOf(call, what);
    if (classes.includes(error.errorClass)) return error;
    throw new Error(`${what} failed as ${error.errorClass} and not as ${classes.join(" or ")}: ${error.message}`);
  }

  /** Secrets of the target that are long enough not to occur by chance. */
  get secrets(): readonly string[] {
    const { secrets = {}, wrongSecrets = {} } = this.target;
    return [secrets, wrongSecrets].flatMap((all) => Object.values(all)).filter(({ length }) => length >= 4);
  }

  /** The control plane masks the message, so the connector's own is looked at. */
  #quotesNothing(error: ConnectorError, what: string): void {
    const own = ConnectorError.is(error.cause) ? error.cause : error;
    const text = `${own.message} ${own.code ?? ""}`;
    const ports = [this.target.address, this.relay.address].map(({ port }) => `:${port}`);
    if ([...this.secrets, ...ports].some((hidden) => text.includes(hidden)))
      throw new Error(`${what} failed with a message that quotes a secret or an address`);
  }
}

/** Waits for what is to happen at once, and throws `message` when it does not. */
export async function soon<T>(happening: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), PATIENCE);
  });
  try {
    return await Promise.race([happening, late]);
  } finally {
    clearTimeout(timer);
  }
}
