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

/** Asks Reeve before each call of a tool, in one run of an agent. */
export interface Guard {
  /** Aborts with a `RunEndedError` when the run has ended. Give it to the framework. */
  readonly signal: AbortSignal;
  /** Rejects with `RunEndedError` unless the run may continue. Call it before each call of a model. */
  check(): Promise<void>;
  /** Asks, then runs `work`. Rejects with `RunEndedError` when the run has ended, and with what `work` rejects with. */
  call<R>(tool: string, args: unknown, work: (signal: AbortSignal) => R | Promise<R>): Promise<Outcome<R>>;
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

  async call<R>(tool: string, args: unknown, work: (signal: AbortSignal) => R | Promise<R>): Promise<Outcome<R>> {
    await this.check();
    const json = readable(args);
    if (json === undefined) return refusal("invalid_arguments", "These arguments are no JSON, so they are refused.");
    const refused = await this.#permit(tool, json);
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
  async #permit(tool: string, args: string): Promise<Refusal | undefined> {
    const until = performance.now() + (this.options.approvalWaitMs ?? 0);
    let approvalId: string | undefined;
    for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
      const verdict = await this.#ask(tool, args, approvalId);
      if (!verdict) break;
      const { status, why, id: decisionId, approval } = verdict;
      if (status === "allow") return this.#oblige(verdict, { tool, arguments: JSON.parse(args) as unknown });
      if (verdict.byState) await this.check();
      if (!approval) return refusal("denied", `Denied by a rule of your organisation. ${why}`, { decisionId });
      const ids = { decisionId, approvalId: approval.id };
      const state = approval.status === "requested" ? await this.#decided(approval.id, until) : approval.status;
      if (state === "requested" || (state === "approved" && approvalId === approval.id))
        return refusal("waits_for_approval", `It waits for approval (${approval.id}). ${why} ${AGAIN}`, ids);
      if (state !== "approved")
        return refusal("approval_refused", `Nobody has approved it: its approval is ${state}. ${why}`, ids);
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
  async #decided(id: string, until: number): Promise<string> {
    const { reeve, timeoutMs = 3_000, approvalPollMs = 1_000 } = this.options;
    for (;;) {
      const left = until - performance.now();
      if (left <= 0) return "requested";
      await pause(Math.min(left, approvalPollMs), this.signal);
      try {
        const approval = await within(timeoutMs, this.signal, (signal) => reeve.readApproval(id, signal));
        const status = record(approval)?.status;
        if (typeof status === "string" && status !== "requested") return status;
      } catch (error) {
        this.signal.throwIfAborted();
        this.options.onFault?.(error);
      }
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

/** Arguments as JSON; `undefined` for what JSON cannot carry. */
function readable(args: unknown): string | undefined {
  try {
    return jsonOf(args);
  } catch {
    return undefined;
  }
}
