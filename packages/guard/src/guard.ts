import { type Obligation, record, type Verdict, verdictOf } from "./answer.js";
import type { Backend, Watch } from "./backend.js";
import { jsonOf, questionOf } from "./question.js";
import { type Outcome, type Refusal, refusal } from "./refusal.js";
import { RunEndedError } from "./run-ended.js";
import { pause, within } from "./timing.js";

/** How a guard asks, and for whom. */
export interface GuardOptions {
  /** The way to Reeve: `inProcess(…)` or `http(…)`. */
  readonly reeve: Backend;
  /** The agent: its id, or with doors its name, address or client id. */
  readonly agent: string;
  /** The MCP server of the tools, by name or id, where the tools are of one. */
  readonly server?: string;
  /** The session of this run. Its end ends the run, also in the middle of a call. */
  readonly session?: string;
  /** Circumstances that rules may read. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** How long a call waits for a person to approve it, in ms. Absent, it is refused at once and may be tried later. */
  readonly approvalWaitMs?: number;
  /** How often the state of an approval is read meanwhile, in ms; 1,000 when absent. */
  readonly approvalPollMs?: number;
  /** The longest that a decision may take, in ms; 3,000 when absent. */
  readonly timeoutMs?: number;
  /** The longest that the end of a session can go unnoticed, in ms; 5,000 when absent. */
  readonly leaseMs?: number;
  /** Name of this enforcement point of the session. Generated when absent. */
  readonly pepId?: string;
  /** Carries out obligations, by type. A call with one that is not listed is refused, but for `warn`. */
  readonly obligations?: Readonly<Record<string, (obligation: Obligation, call: Called) => unknown>>;
  /** Hears why no decision could be had. */
  readonly onFault?: (error: unknown) => void;
}

/** A call as obligations see it. */
export interface Called {
  readonly tool: string;
  readonly arguments: unknown;
}

/** How one call is made. */
export interface CallOptions {
  /** The approval that it is made with. No other is used, and while it cannot be used nothing is asked. */
  readonly approvalId?: string;
  /** How long it waits for a person to approve it, in ms, in place of `approvalWaitMs`. */
  readonly waitMs?: number;
}

/** Asks Reeve before each call of a tool, in one run of an agent. */
export interface Guard {
  /** Whose calls these are. */
  readonly options: Pick<GuardOptions, "agent" | "server" | "session">;
  /** Aborts with a `RunEndedError` when the run has ended. Give it to the framework. */
  readonly signal: AbortSignal;
  /** Rejects with `RunEndedError` unless the run may continue. Call it before each call of a model. */
  check(): Promise<void>;
  /** Asks, then runs `work`. Rejects with `RunEndedError` when the run has ended, and with what `work` rejects with. */
  call<R>(
    tool: string,
    args: unknown,
    work: (signal: AbortSignal) => R | Promise<R>,
    options?: CallOptions,
  ): Promise<Outcome<R>>;
  /** A function that asks before it runs. It gives the result of `run`, or the refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: a function without types gets the arguments as they come
  wrap<A = Readonly<Record<string, any>>, R = unknown>(
    tool: string,
    run: (args: A, call: { readonly signal: AbortSignal }) => R | Promise<R>,
  ): (args: A) => Promise<R | Refusal>;
  /** Ends the watch over the session, and runs no tool from then on. The session itself goes on. */
  close(): Promise<void>;
}

const UNDECIDED = "There is no decision about this call, so it is denied. Reeve is away, late or cannot be understood.";
const AGAIN = "Once somebody has approved it, the same call with the same arguments passes once.";
/** The most questions about one call: with each an approval was given, and used by somebody else. */
const MOST_QUESTIONS = 5;

/** Opens a guard for one run of an agent. Rejects with `RunEndedError` for a session that has ended. */
export async function openGuard(options: GuardOptions): Promise<Guard> {
  const { reeve, session: sessionId, leaseMs = 5_000, pepId = `guard-${crypto.randomUUID()}` } = options;
  const watch = sessionId === undefined ? undefined : await reeve.watch({ sessionId, leaseMs, pepId });
  return new RunGuard(options, watch);
}

class RunGuard implements Guard {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;

  constructor(
    readonly options: GuardOptions,
    readonly watch: Watch | undefined,
  ) {
    const { signal } = watch ?? {};
    const cut = () => this.#controller.abort(signal?.reason);
    if (signal?.aborted) cut();
    signal?.addEventListener("abort", cut, { once: true });
  }

  async check(): Promise<void> {
    this.signal.throwIfAborted();
    await this.#ending(() => this.watch?.check());
    this.signal.throwIfAborted();
  }

  async call<R>(
    tool: string,
    args: unknown,
    work: (signal: AbortSignal) => R | Promise<R>,
    options: CallOptions = {},
  ): Promise<Outcome<R>> {
    await this.check();
    const json = readable(args);
    if (json === undefined) return refusal("invalid_arguments", "These arguments are no JSON, so they are refused.");
    const refused = await this.#permit(tool, json, options);
    if (refused) return refused;
    if (readable(args) !== json)
      return refusal("invalid_arguments", "The arguments changed after they were decided on.");
    const { watch } = this;
    const run = async (signal: AbortSignal) => work(signal);
    return { refused: false, value: await this.#ending(() => (watch ? watch.run(run) : run(this.signal))) };
  }

  wrap<A, R>(tool: string, run: (args: A, call: { readonly signal: AbortSignal }) => R | Promise<R>) {
    return async (args: A): Promise<R | Refusal> => {
      const outcome = await this.call(tool, args, (signal) => run(args, { signal }));
      return outcome.refused ? outcome : outcome.value;
    };
  }

  async close(): Promise<void> {
    await this.watch?.close();
    this.#controller.abort(new RunEndedError("closed", "closed"));
  }

  /** Why a call may not be made; `undefined` when it may. An approval that was given is used. */
  async #permit(tool: string, args: string, { approvalId: named, waitMs }: CallOptions): Promise<Refusal | undefined> {
    const until = performance.now() + (waitMs ?? this.options.approvalWaitMs ?? 0);
    if (named !== undefined) {
      const known = await this.#statusOf(named);
      if (!known) return refusal("undecided", UNDECIDED);
      const status = await this.#decided(named, known, until);
      if (status !== "approved") return unapproved(named, status);
    }
    let approvalId = named;
    for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
      const verdict = await this.#ask(tool, args, approvalId);
      if (!verdict) break;
      const { status, why, id: decisionId, approval } = verdict;
      if (status === "allow") return this.#oblige(verdict, { tool, arguments: JSON.parse(args) as unknown });
      if (verdict.byState) await this.check();
      if (!approval) return refusal("denied", `Denied by a rule of your organisation. ${why}`, { decisionId });
      // Used meanwhile, or given under rules that have changed.
      if (named !== undefined && named !== approval.id) return unapproved(named, "over", why, decisionId);
      const state = await this.#decided(approval.id, approval.status, until);
      if (state !== "approved") return unapproved(approval.id, state, why, decisionId);
      if (approvalId === approval.id) return unapproved(approval.id, "requested", why, decisionId);
      approvalId = approval.id;
    }
    return refusal("undecided", UNDECIDED);
  }

  /** A decision. `undefined` where there is none that can be read in time. */
  async #ask(tool: string, args: string, approvalId: string | undefined): Promise<Verdict | undefined> {
    const { reeve, timeoutMs = 3_000 } = this.options;
    try {
      const question = questionOf(this.options, tool, args, approvalId);
      const answer = await within(timeoutMs, this.signal, (signal) => reeve.decide(question, signal));
      const verdict = verdictOf(answer);
      if (!verdict) throw new TypeError("The answer is no decision that can be read.");
      return verdict;
    } catch (error) {
      this.signal.throwIfAborted();
      this.options.onFault?.(error);
      return undefined;
    }
  }

  async #oblige({ obligations, id: decisionId }: Verdict, call: Called): Promise<Refusal | undefined> {
    for (const obligation of obligations) {
      const { type } = obligation;
      const known = this.options.obligations;
      const carryOut = known && Object.hasOwn(known, type) ? known[type] : undefined;
      if (!carryOut && type === "warn") continue;
      try {
        if (!carryOut) throw new TypeError(`Nobody carries out the obligation "${type}".`);
        await carryOut(obligation, call);
      } catch (error) {
        this.options.onFault?.(error);
        const why = `It is allowed with the obligation "${type}" only, which is not carried out here.`;
        return refusal("obligation_not_understood", why, { decisionId });
      }
    }
    return undefined;
  }

  /** The state of an approval once somebody has decided, or `requested` when nobody has in time. */
  async #decided(id: string, known: string, until: number): Promise<string> {
    let status = known;
    while (status === "requested") {
      const left = until - performance.now();
      if (left <= 0) break;
      await pause(Math.min(left, this.options.approvalPollMs ?? 1_000), this.signal);
      status = (await this.#statusOf(id)) ?? status;
    }
    return status;
  }

  async #statusOf(id: string): Promise<string | undefined> {
    const { reeve, timeoutMs = 3_000 } = this.options;
    try {
      const { status } = record(await within(timeoutMs, this.signal, (signal) => reeve.readApproval(id, signal))) ?? {};
      return typeof status === "string" ? status : undefined;
    } catch (error) {
      this.signal.throwIfAborted();
      this.options.onFault?.(error);
      return undefined;
    }
  }

  /** What finds the run ended ends it for all. */
  async #ending<R>(work: () => R | Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      if (!RunEndedError.is(error)) throw error;
      this.#controller.abort(error);
      // The first end that was found is that of the run.
      throw this.signal.reason;
    }
  }
}

/** The refusal of a call whose approval is not given. */
function unapproved(approvalId: string, status: string, why = "", decisionId?: string): Refusal {
  const waits = status === "requested";
  const said = waits ? `It waits for approval (${approvalId}).` : `It is refused: its approval is ${status}.`;
  const message = [said, why, waits ? AGAIN : ""].filter((part) => part !== "").join(" ");
  return refusal(waits ? "waits_for_approval" : "approval_refused", message, { decisionId, approvalId });
}

/** Arguments as JSON; `undefined` for what JSON cannot carry. */
function readable(args: unknown): string | undefined {
  try {
    return jsonOf(args);
  } catch {
    return undefined;
  }
}
