import {
  CAPABILITIES,
  type CallFacts,
  type Capability,
  type CapabilityMethod,
  type Connector,
  type ConnectorContext,
  type ConnectorMethods,
  callConnector,
  type InstanceParts,
  type Page,
  type PageRequest,
  walk,
} from "@reeve/core/connectors";

// biome-ignore lint/suspicious/noExplicitAny: any configuration and any secrets
type Methods = Required<ConnectorMethods<any, any>>;
type Method = CapabilityMethod | "pollOperation";
type Rest<M extends Method> = Parameters<Methods[M]> extends [ConnectorContext, ...infer Rest] ? Rest : never;

/** Methods of a connector without their context, which each call gets anew. They reject with `ConnectorError` only. */
export type ConnectorCalls = { readonly [M in Method]: (...given: Rest<M>) => ReturnType<Methods[M]> };

/** What tells one call from another. */
export type CallOptions = Partial<Pick<CallFacts, "attempt" | "correlationId" | "idempotencyKey" | "signal">>;

const METHODS = new Map<Method, Capability>([
  ...Object.entries(CAPABILITIES).map(([name, { method }]) => [method, name as Capability] as const),
  ["pollOperation", "grant"],
]);

/** Calls of a connector as the control plane makes them: with deadline, masking and a context of their own. */
export function connectorCalls(connector: Connector, parts: InstanceParts, options: CallOptions = {}): ConnectorCalls {
  const facts = { correlationId: "test", idempotencyKey: "test", ...options };
  const entries = [...METHODS].map(([method, capability]) => [
    method,
    (...given: unknown[]) =>
      callConnector(connector, parts, { ...facts, capability }, (called, ctx) =>
        (called[method] as (...all: unknown[]) => Promise<unknown>)(ctx, ...given),
      ),
  ]);
  return Object.fromEntries(entries) as unknown as ConnectorCalls;
}

/** A whole listing, read as the control plane reads it. */
export interface Listed<T> {
  readonly items: readonly T[];
  /** Nothing is missing. */
  readonly complete: boolean;
  readonly pages: number;
}

/** Walks a listing to its end. Rejects with `ConnectorError` where the control plane would. */
export async function listAll<T>(read: (page: PageRequest) => Promise<Page<T>>, limit = 200): Promise<Listed<T>> {
  const items: T[] = [];
  let [complete, pages] = [false, 0];
  for await (const page of walk(read, { limit })) {
    items.push(...page.items);
    complete = page.complete;
    pages += 1;
  }
  return { items, complete, pages };
}

/** A context as a method gets it, for tests of smaller parts of a connector. It is useless once `run` has ended. */
export function withContext<T>(
  connector: Connector,
  parts: InstanceParts,
  run: (ctx: ConnectorContext) => Promise<T>,
  options: CallOptions & { readonly capability?: Capability } = {},
): Promise<T> {
  const facts = { capability: "test", correlationId: "test", idempotencyKey: "test", ...options } as const;
  return callConnector(connector, parts, facts, (_connector, ctx) => run(ctx));
}
