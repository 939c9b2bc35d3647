import { record } from "./answer.js";
import type { Watch, WatchOptions } from "./backend.js";
import { RunEndedError } from "./run-ended.js";
import { AnswerError, type Json, type Send } from "./send.js";
import { untilAborted, within } from "./timing.js";

/** Opens a watch over a session. Rejects with `RunEndedError` when it has ended, and where it cannot be read. */
export async function openWatch(send: Send, options: WatchOptions): Promise<Watch> {
  const watch = new HttpWatch(send, options);
  await watch.beat();
  await watch.check();
  watch.start();
  return watch;
}

/** Heartbeats in a lease, and leases until the registration expires. */
const BEATS = 3;
const DECIDED = ["suspended", "terminating", "terminated"];

/** Learns by heartbeats whether a session may go on. A lease in which none succeeds ends the run. */
class HttpWatch implements Watch {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  readonly #path: string;
  /** Ends requests that are under way. */
  readonly #closing = new AbortController();
  #next: ReturnType<typeof setTimeout> | undefined;
  #lost: ReturnType<typeof setTimeout> | undefined;
  #readAt = performance.now();
  #running = 0;
  /** Calls that are not reported yet. */
  #uncounted = 0;
  #session: Json = {};
  #acknowledged = -1;
  #acknowledging: Promise<void> = Promise.resolve();

  constructor(
    readonly send: Send,
    readonly options: WatchOptions,
  ) {
    this.#path = `/api/v1/ai/sessions/${encodeURIComponent(options.sessionId)}`;
  }

  start(): void {
    const beat = async () => {
      // What fails is tried again, until the lease is over.
      await this.beat().catch(() => undefined);
      if (!this.#closing.signal.aborted) this.start();
    };
    this.#next = unref(setTimeout(beat, this.options.leaseMs / BEATS));
  }

  async check(): Promise<void> {
    // Within the lease the last answer counts, and no call passes without a decision besides.
    await this.beat().catch(() => undefined);
    if (performance.now() - this.#readAt > this.options.leaseMs) this.#lose();
    this.signal.throwIfAborted();
    const block = blockOf(this.#session);
    if (block) throw block;
  }

  async run<R>(work: (signal: AbortSignal) => Promise<R>): Promise<R> {
    await this.check();
    this.#running += 1;
    this.#uncounted += 1;
    const running = work(this.signal);
    const ended = () => {
      this.#running -= 1;
      void this.#acknowledge();
    };
    running.then(ended, ended);
    const result = await untilAborted(running, this.signal);
    await this.beat().catch(() => undefined);
    this.signal.throwIfAborted();
    return result;
  }

  async close(): Promise<void> {
    clearTimeout(this.#next);
    clearTimeout(this.#lost);
    if (this.#uncounted > 0) await this.beat().catch(() => undefined);
    await this.#acknowledge();
    clearTimeout(this.#lost);
    this.#closing.abort(new Error("The guard is closed."));
  }

  /** Sends a sign of life with the calls since the last one, and takes what the answer tells. */
  async beat(): Promise<void> {
    const { pepId, leaseMs } = this.options;
    const began = performance.now();
    const toolCalls = this.#uncounted;
    this.#uncounted = 0;
    const body = { pepId, presenceSec: Math.max(5, Math.ceil((leaseMs * BEATS) / 1_000)) };
    try {
      const answer = await within(leaseMs, this.#closing.signal, (signal) =>
        toolCalls > 0
          ? this.send("POST", `${this.#path}/usage`, { ...body, toolCalls }, signal)
          : this.send("POST", `${this.#path}/heartbeat`, body, signal),
      );
      this.#take(answer, began);
    } catch (error) {
      // Usage may count twice after a lost answer, and never too low.
      this.#uncounted += toolCalls;
      if (error instanceof AnswerError && error.status === 404) this.#end(new RunEndedError("deleted", "deleted"));
      throw error;
    }
    await this.#acknowledge();
  }

  #take(answer: Json, began: number): void {
    // Of answers that overtake each other the newest counts.
    if (Number(answer.version) < Number(this.#session.version)) return;
    this.#session = answer;
    this.#readAt = began;
    clearTimeout(this.#lost);
    this.#lost = unref(setTimeout(() => this.#lose(), began + this.options.leaseMs - performance.now()));
    const block = blockOf(answer);
    // A suspension lets a running call finish, as guards in process do.
    if (block && answer.status !== "suspended") this.#end(block);
  }

  #lose(): void {
    this.#end(new RunEndedError("unknown", "lease_lost"));
  }

  #end(block: RunEndedError): void {
    this.#controller.abort(block);
  }

  /** Says that a decision is enforced, once no call runs any more, one after the other. */
  #acknowledge(): Promise<void> {
    this.#acknowledging = this.#acknowledging.then(() => this.#tellEnforced());
    return this.#acknowledging;
  }

  async #tellEnforced(): Promise<void> {
    const { status, controlEpoch: epoch, enforcement } = this.#session;
    const { pepId, leaseMs } = this.options;
    const points = record(enforcement)?.peps;
    const isAsked = Array.isArray(points) && points.some((point) => point?.id === pepId && point.ackAt === null);
    if (!isAsked || status === "active" || this.#running > 0) return;
    if (typeof epoch !== "number" || this.#acknowledged >= epoch) return;
    const body = { pepId, epoch, outcome: "enforced" };
    const telling = within(leaseMs, this.#closing.signal, (signal) =>
      this.send("POST", `${this.#path}/acknowledgements`, body, signal),
    );
    // What fails is said again after the next heartbeat.
    await telling.then(
      () => {
        this.#acknowledged = epoch;
      },
      () => undefined,
    );
  }
}

/** Why a session may not go on, as an answer tells it. Without that part of an answer it may not. */
function blockOf({ status, stoppedBy, control }: Json): RunEndedError | undefined {
  if (status === "active") return stoppedBy === null ? undefined : new RunEndedError(status, String(stoppedBy));
  const known = String(status);
  const { reason } = record(control) ?? {};
  return new RunEndedError(known, String((DECIDED.includes(known) && reason) || known));
}

/** A timer that keeps no process alive. */
function unref<T>(timer: T): T {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}
