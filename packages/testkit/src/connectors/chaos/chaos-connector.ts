import {
  type ApplyResult,
  type Connector,
  type ConnectorContext,
  ConnectorError,
  type GrantSpec,
  type InstanceParts,
  type Page,
  type PageRequest,
  type Principal,
  type PrincipalQuery,
  type ProfileQuery,
  type ToolCall,
} from "@reeve/core/connectors";
import { type CallOptions, type ConnectorCalls, connectorCalls } from "../calls.js";
import { type ChaosMethod, checkSchedule, type Fault, type Injection, placeOf } from "./schedule.js";

type Run = (ctx: ConnectorContext, ...given: never[]) => Promise<unknown>;
type Kind = Fault["kind"];

/** What a method is about, and the page that it reads. */
interface Call {
  readonly method: ChaosMethod;
  readonly subject: string;
  readonly page: PageRequest | undefined;
}

/** Wraps a connector, and has its calls go wrong by a schedule. */
export class ChaosConnector {
  readonly connector: Connector;
  readonly #schedule: ReadonlyMap<string, Injection>;
  readonly #fired = new Set<Injection>();
  readonly #attempts = new Map<string, number>();
  readonly #pages = new Map<string, readonly unknown[]>();
  /** What spoils the rest of a listing that is being read. */
  readonly #spoilt = new Map<string, Kind>();
  #readOnly = false;
  #hanging: () => void = () => {};

  constructor(inner: Connector, schedule: readonly Injection[]) {
    checkSchedule(schedule);
    this.#schedule = new Map(schedule.map((injection) => [placeOf(injection), injection]));
    const disturbed = (Object.keys(SUBJECTS) as ChaosMethod[])
      .filter((method) => typeof inner[method] === "function")
      .map((method) => [method, this.#disturbed(method, inner[method] as unknown as Run)]);
    this.connector = { ...inner, ...Object.fromEntries(disturbed) };
  }

  /** Calls of the connector, in which a hanging call is given up at once, as at its deadline. */
  calls(parts: InstanceParts, options: CallOptions = {}): ConnectorCalls {
    const given = (method: keyof ConnectorCalls) =>
      ((...all: never[]) => {
        const leaving = new AbortController();
        this.#hanging = () => leaving.abort();
        const calls = connectorCalls(this.connector, parts, { ...options, signal: leaving.signal });
        return (calls[method] as (...args: never[]) => Promise<unknown>)(...all);
      }) as never;
    return new Proxy({} as ConnectorCalls, { get: (_target, method) => given(method as keyof ConnectorCalls) });
  }

  /** Faults that have happened. */
  get fired(): readonly Injection[] {
    return [...this.#fired];
  }

  /** Throws where a required fault has not happened: the run has not tested what it was to test. */
  finish(): void {
    const missed = [...this.#schedule.values()].filter((one) => one.required !== false && !this.#fired.has(one));
    if (missed.length > 0) throw new Error(`chaos: never fired:\n${missed.map(placeOf).join("\n")}`);
  }

  #disturbed(method: ChaosMethod, run: Run): Run {
    return async (ctx, ...given) => {
      const call = { method, ...SUBJECTS[method](given) };
      const counted = `${method} ${call.subject}`;
      const attempt = (this.#attempts.get(counted) ?? 0) + 1;
      this.#attempts.set(counted, attempt);
      const at = (phase: Injection["phase"]) => this.#schedule.get(placeOf({ ...call, attempt, phase }));
      const response = at("response");
      await this.#fail(at("before"), ctx);
      if (this.#readOnly && WRITES.has(method)) throw new ConnectorError("permission", "The target is read-only.");
      const skipped = response?.kind === "partial_revoke";
      const answer = skipped ? { outcome: "applied" } : await run(ctx, ...given);
      await this.#fail(at("after"), ctx);
      return this.#changed(answer, response, call.page, counted);
    };
  }

  async #fail(injection: Injection | undefined, { signal }: ConnectorContext): Promise<void> {
    if (!injection) return;
    this.#fired.add(injection);
    if (injection.kind === "read_only") this.#readOnly = true;
    if (injection.kind === "error") throw new ConnectorError(injection.errorClass, "Chaos.");
    if (injection.kind !== "hang") return;
    this.#hanging();
    signal.throwIfAborted();
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  }

  #changed(answer: unknown, injection: Injection | undefined, page: PageRequest | undefined, counted: string): unknown {
    const before = this.#pages.get(counted) ?? [];
    if (page) this.#pages.set(counted, (answer as Page<unknown>).items);
    if (injection) this.#fired.add(injection);
    if (page?.cursor === undefined) this.#spoilt.delete(counted);
    if (injection && SPOILING.has(injection.kind)) this.#spoilt.set(counted, injection.kind);
    const changed = (injection && CHANGES[injection.kind]?.(answer as never, before)) ?? answer;
    const spoilt = this.#spoilt.get(counted);
    if (!page || !spoilt) return changed;
    const back = spoilt === "cycle" ? { nextCursor: page.cursor ?? "0" } : {};
    return { ...(changed as object), ...back, complete: false };
  }
}

/** The rest of the listing is not complete after these. */
const SPOILING: ReadonlySet<Kind> = new Set(["cycle", "missing_page"]);

const WRITES: ReadonlySet<ChaosMethod> = new Set(["grant", "revoke", "modify"]);

const bySpec = ([spec]: readonly unknown[]) => ({ subject: (spec as GrantSpec).grantKey, page: undefined });
const byPage = (subject: string, page: unknown) => ({ subject, page: page as PageRequest });

const SUBJECTS: Readonly<Record<ChaosMethod, (given: readonly unknown[]) => Omit<Call, "method">>> = {
  grant: bySpec,
  revoke: bySpec,
  modify: bySpec,
  verify: bySpec,
  discoverAssets: ([page]) => byPage("", page),
  listResources: ([type, page]) => byPage(type as string, page),
  listGrants: ([_query, page]) => byPage("", page),
  listAccessProfiles: ([query, page]) => byPage((query as ProfileQuery).resourceType, page),
  listUsage: ([_query, page]) => byPage("", page),
  listCredentials: ([_query, page]) => byPage("", page),
  findPrincipal: ([query]) => ({ subject: (query as PrincipalQuery).named, page: undefined }),
  testConnection: () => ({ subject: "", page: undefined }),
  pollOperation: ([externalOpRef]) => ({ subject: externalOpRef as string, page: undefined }),
  executeTool: ([call]) => ({ subject: (call as ToolCall).tool, page: undefined }),
  endSessions: ([principal]) => ({ subject: (principal as Principal).externalId, page: undefined }),
};

const CHANGES: Partial<Record<Kind, (answer: Page<unknown> & ApplyResult, before: readonly unknown[]) => unknown>> = {
  duplicate_page: (answer, before) => ({ ...answer, items: [...before, ...answer.items] }),
  missing_page: (answer) => ({ ...answer, items: [] }),
  hide: (answer) => ("items" in answer ? { items: [], complete: true } : { presence: "absent", authoritative: true }),
  drift: (answer) => ({ ...answer, outcome: answer.outcome === "applied" ? "already_applied" : "applied" }),
};
