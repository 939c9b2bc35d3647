import type { Environment } from "#kernel/config/environment.js";
import type { Principal } from "#kernel/config/principal.js";
import { asOf } from "#kernel/records/as-of.js";
import { timestamp } from "#ports/clock.js";
import { addUsage, isOver, limitReached, NO_USAGE, type Session, sessions, type Usage, usageOf } from "../../index.js";
import { SessionBlockedError } from "./blocked.js";

/**
 * Shares of a lease after which it is renewed, tried again and given up. The last is below 1, because timers may be
 * late.
 */
const RENEW_AFTER = 1 / 3;
const RETRY_AFTER = 1 / 10;
const LOST_AFTER = 0.95;
/** The most reports of usage that are summed before they are stored. */
const MANY_REPORTS = 100;
const FLUSH_MS = 5_000;

/** The context of a guarded call. */
export interface GuardedCall {
  /** Aborts when the session ends, and on a suspension in mode `immediate`. */
  readonly signal: AbortSignal;
}

export interface WrapOptions<R> {
  /**
   * The usage of a successful call, in addition to one tool call. What `record` refuses rejects the call, though the tool
   * has run.
   */
  readonly usage?: (result: R) => Partial<Usage>;
}

/** The services of the hub for its guards. */
export interface Keeper {
  /** Reads the sessions of a tenant again. `false` when that failed. */
  refresh(tenantId: string): Promise<boolean>;
  /** Stores the reports of guards. */
  flush(guards: readonly GuardState[]): Promise<void>;
  /** Stores that a guard has enforced a decision. */
  acknowledge(guard: GuardState, epoch: number): void;
  /** Stores the last reports of closed guards and unregisters their enforcement points. */
  release(guards: readonly GuardState[]): Promise<void>;
}

export interface GuardSettings {
  readonly tenantId: string;
  readonly principal: Principal;
  readonly sessionId: string;
  readonly pepId: string;
  readonly leaseMs: number;
  readonly mode: "graceful" | "immediate";
}

/** The state of a guard: its session as last read, and how long that is valid. */
export class GuardState {
  session: Session;
  pending: Usage = NO_USAGE;
  reports = 0;
  /** Whether there was activity since the last report, or a limit was reached. */
  stirred = false;
  flushedAt = performance.now();
  /** Usage that is being stored. */
  flushing: Usage = NO_USAGE;
  #deleted = false;
  /** A reason to block besides the session's state: a kill switch, or the suspension of the tenant. */
  #stopped: string | undefined;
  /** Whether a decision was announced since the last read. */
  #dirty = true;
  #closed = false;
  #readAt = Number.NEGATIVE_INFINITY;
  #readMono = Number.NEGATIVE_INFINITY;
  #triedMono = Number.NEGATIVE_INFINITY;
  #lost = false;
  #controller = new AbortController();
  #inFlight = 0;
  #acknowledged = -1;

  constructor(
    readonly env: Environment,
    readonly keeper: Keeper,
    readonly settings: GuardSettings,
    session: Session,
  ) {
    this.session = session;
  }

  get signal(): AbortSignal {
    if (this.#controller.signal.aborted && this.#block() === undefined) this.#controller = new AbortController();
    return this.#controller.signal;
  }

  get epoch(): number {
    return this.session.controlEpoch;
  }

  /** Marks the last read as outdated. */
  suspect(): void {
    this.#dirty = true;
  }

  /** Stores the result of a read that began at these moments. `certain`: no decision was announced during the read. */
  renew(found: Session | undefined, stopped: string | undefined, began: Moments, certain: boolean): void {
    if (began.mono > this.#readMono) {
      this.#readMono = began.mono;
      this.#readAt = began.clock;
      this.#lost = false;
      this.#stopped = stopped;
      if (certain) this.#dirty = false;
    }
    if (!found) this.#deleted = true;
    else this.adopt(found);
    this.react();
  }

  /** Takes over a stored session, unless a newer version is known. */
  adopt(session: Session): void {
    if (session.version > this.session.version) this.session = session;
  }

  /** Aborts calls that are blocked, and acknowledges the decision once none is running. */
  react(): void {
    const block = this.#block();
    if (block && this.#cancels(block)) this.#abort(block);
    const { enforcement, controlEpoch } = this.session;
    const asked = enforcement.peps.some(({ id, ackAt }) => id === this.settings.pepId && ackAt === null);
    if (!asked || !block || this.#inFlight > 0 || this.#acknowledged >= controlEpoch) return;
    this.#acknowledged = controlEpoch;
    this.keeper.acknowledge(this, controlEpoch);
  }

  /** The acknowledgement could not be stored, so it is repeated after the next read. */
  unacknowledged(epoch: number): void {
    if (this.#acknowledged === epoch) this.#acknowledged = epoch - 1;
  }

  /** When the hub must next handle this guard, on the monotonic clock. */
  dueAt(): number {
    const { leaseMs } = this.settings;
    const renewal = Math.max(this.#readMono + leaseMs * RENEW_AFTER, this.#triedMono + leaseMs * RETRY_AFTER);
    return this.#lost ? renewal : Math.min(renewal, this.#readMono + leaseMs * LOST_AFTER);
  }

  /** Whether to read the session again now. Tries are limited in frequency. */
  takesRenewal(mono: number): boolean {
    const { leaseMs } = this.settings;
    if (mono - this.#triedMono < leaseMs * RETRY_AFTER) return false;
    if (!this.#dirty && mono - this.#readMono < leaseMs * RENEW_AFTER) return false;
    this.#triedMono = mono;
    return true;
  }

  /** Blocks the session when its lease has expired, because later decisions are unknown. */
  loseIfOver(mono: number): void {
    if (this.#lost || this.#closed || mono - this.#readMono < this.settings.leaseMs * LOST_AFTER) return;
    this.#lost = true;
    this.react();
  }

  /** Whether reports are due to be stored. */
  wantsFlush(mono: number, presenceMs: number): boolean {
    const since = mono - this.flushedAt;
    const { idleTimeoutSec } = this.session.limitsInForce;
    const often = idleTimeoutSec === null ? FLUSH_MS : Math.min(FLUSH_MS, (idleTimeoutSec * 1_000) / 3);
    if (this.reports >= MANY_REPORTS) return true;
    return since >= (this.reports > 0 || this.stirred ? often : presenceMs);
  }

  /** Whether the guard has nothing more to do: its session has ended, and all is acknowledged and reported. */
  get spent(): boolean {
    const { enforcement, status } = this.session;
    const asked = enforcement.peps.some(({ id, ackAt }) => id === this.settings.pepId && ackAt === null);
    return (this.#deleted || isOver({ status })) && !asked && this.#inFlight === 0 && this.reports === 0;
  }

  record(usage: Partial<Usage>): void {
    this.pending = addUsage(this.pending, usageOf(usage));
    this.reports += 1;
    this.stirred = true;
  }

  /** Stores what is known, so that the session is blocked for all guards. The call is refused even if that fails. */
  async #store(): Promise<void> {
    this.stirred = true;
    await this.keeper.flush([this]).catch(() => undefined);
  }

  /** Throws `SessionBlockedError` unless the session may continue by a read that is younger than the lease. */
  async check(): Promise<void> {
    await this.#current();
    if (this.#seen().status !== this.session.status) await this.#store();
    this.#throwBlock();
    const reached = limitReached({ ...this.session, usage: this.#spentUsage() }, this.env.clock.now());
    this.stirred = true;
    if (reached === undefined) return;
    await this.#store();
    const { epoch } = this;
    throw new SessionBlockedError({ status: "suspended", reason: `limit_reached:${reached}`, epoch });
  }

  async run<R>(work: (call: GuardedCall) => Promise<R> | R, { usage }: WrapOptions<R>): Promise<R> {
    // A decision after the check also counts. Between the last check and the call nothing is awaited.
    do await this.check();
    while (!this.#fresh());
    this.#throwBlock();
    const { signal } = this;
    this.#inFlight += 1;
    const running = (async () => work({ signal }))();
    const ended = () => {
      this.#inFlight -= 1;
      this.react();
    };
    running.then(ended, ended);
    this.record({ toolCalls: 1 });
    const result = await untilAborted(running, signal);
    if (usage) this.record(usage(result));
    await this.#releasable();
    return result;
  }

  async close(): Promise<void> {
    if (this.shut()) await this.keeper.release([this]);
  }

  /** Blocks everything from now on. `false` when it was already closed. */
  shut(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.#abort(this.#block() as SessionBlockedError);
    return true;
  }

  /** Waits for a read when the last one is too old or outdated, at most for the length of a lease. */
  async #current(): Promise<void> {
    const { tenantId, leaseMs } = this.settings;
    const end = performance.now() + leaseMs;
    let read = true;
    // An ended session never changes, so it is not read again.
    while (!this.#closed && !this.#deleted && !isOver(this.session) && !this.#fresh()) {
      if (!read || performance.now() >= end) {
        this.#lost = true;
        return this.react();
      }
      // A read during which a decision was announced is repeated.
      read = await within(end - performance.now(), this.keeper.refresh(tenantId));
    }
  }

  #fresh(): boolean {
    const { leaseMs } = this.settings;
    if (this.#dirty || this.#lost) return false;
    return performance.now() - this.#readMono < leaseMs && this.env.clock.now() - this.#readAt < leaseMs;
  }

  /** Throws unless the result of a call may be returned. With a graceful suspension it may. */
  async #releasable(): Promise<void> {
    await this.#current();
    const block = this.#block();
    if (block && this.#cancels(block)) throw block;
  }

  #throwBlock(): void {
    const block = this.#block();
    if (!block) return;
    this.react();
    throw block;
  }

  #block(): SessionBlockedError | undefined {
    const { status, controlEpoch: epoch, control } = this.#seen();
    const because = (status: SessionBlockedError["status"], reason: string) =>
      new SessionBlockedError({ status, reason, epoch });
    if (this.#closed) return because("closed", "closed");
    if (this.#deleted) return because("deleted", "deleted");
    if (this.#lost && !isOver({ status })) return because("unknown", "lease_lost");
    if (status !== "active") return because(status, (isDecided(status) && control?.reason) || status);
    return this.#stopped === undefined ? undefined : because("active", this.#stopped);
  }

  /** The session as of now, with time transitions. */
  #seen(): Session {
    const staleAt = sessions.staleAt?.(this.session) ?? null;
    return asOf(sessions, { value: this.session, staleAt }, timestamp(this.env.clock.now()));
  }

  #cancels({ status }: SessionBlockedError): boolean {
    return status !== "suspended" || this.settings.mode === "immediate";
  }

  #abort(reason: SessionBlockedError): void {
    if (!this.#controller.signal.aborted) this.#controller.abort(reason);
  }

  #spentUsage(): Usage {
    return addUsage(addUsage(this.session.usage, this.flushing), this.pending);
  }
}

/** When a read began, on the clock of the control plane and on the monotonic clock. */
export interface Moments {
  readonly clock: number;
  readonly mono: number;
}

function isDecided(status: string): boolean {
  return status === "suspended" || status === "terminating" || status === "terminated";
}

/** The result of `running`, or a rejection with the signal's reason when it aborts first. */
function untilAborted<R>(running: Promise<R>, signal: AbortSignal): Promise<R> {
  return new Promise((resolve, reject) => {
    const cut = () => reject(signal.reason as Error);
    if (signal.aborted) cut();
    signal.addEventListener("abort", cut, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener("abort", cut));
  });
}

/** The result of `work`, or `false` after `ms` milliseconds. */
async function within(ms: number, work: Promise<boolean>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
