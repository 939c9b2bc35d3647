import type { Environment } from "../../../../kernel/config/environment.js";
import type { Principal } from "../../../../kernel/config/principal.js";
import { timestamp } from "../../../../ports/clock.js";
import { addUsage, isOver, limitReached, NO_USAGE, type Session, sessions, type Usage } from "../../index.js";
import { SessionBlockedError } from "./blocked.js";

/** Share of a lease after which it is renewed, and after which it counts as lost: timers are late, never early. */
const RENEW_AFTER = 1 / 3;
const RETRY_AFTER = 1 / 10;
const LOST_AFTER = 0.95;
/** Reports of usage that are added up before they are written down at once. */
const MANY_REPORTS = 100;
const FLUSH_MS = 5_000;

/** What a call is run with. */
export interface GuardedCall {
  /** Fires when the session ends, and on a suspension that is immediate. */
  readonly signal: AbortSignal;
}

export interface WrapOptions<R> {
  /** What a call that succeeded has spent, beside the one call that is counted. */
  readonly usage?: (result: R) => Partial<Usage>;
}

/** What the hub does for its guards. */
export interface Keeper {
  /** Reads the sessions of a tenant anew; `false` when that has failed. */
  refresh(tenantId: string): Promise<boolean>;
  /** Writes down what guards have to report. */
  flush(guards: readonly GuardState[]): Promise<void>;
  /** Says that a guard has carried a decision out. */
  acknowledge(guard: GuardState, epoch: number): void;
  /** Writes down what guards that have shut had to report, and withdraws them as enforcement points. */
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

/** The inside of a guard: what is known of its session, and until when that may be relied upon. */
export class GuardState {
  session: Session;
  pending: Usage = NO_USAGE;
  reports = 0;
  /** Something was done since the last report, or a limit has to be gone by. */
  stirred = false;
  flushedAt = performance.now();
  /** Usage that is being written down just now. */
  flushing: Usage = NO_USAGE;
  #deleted = false;
  /** What stops it beside its own state: a kill switch, or its tenant's suspension. */
  #stopped: string | undefined;
  /** Something was decided since it was read. */
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

  /** What is known may be out of date from now on. */
  suspect(): void {
    this.#dirty = true;
  }

  /** Takes in what a reading that began at these moments has found; `certain` when nothing was decided meanwhile. */
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

  /** Takes in a session as it is stored, unless a newer one is known. */
  adopt(session: Session): void {
    if (session.version > this.session.version) this.session = session;
  }

  /** Cancels what may not go on, and says that it has been done as soon as nothing runs. */
  react(): void {
    const block = this.#block();
    if (block && this.#cancels(block)) this.#abort(block);
    const { enforcement, controlEpoch } = this.session;
    const asked = enforcement.peps.some(({ id, ackAt }) => id === this.settings.pepId && ackAt === null);
    if (!asked || !block || this.#inFlight > 0 || this.#acknowledged >= controlEpoch) return;
    this.#acknowledged = controlEpoch;
    this.keeper.acknowledge(this, controlEpoch);
  }

  /** The acknowledgement could not be stored; it is tried again with the next reading. */
  unacknowledged(epoch: number): void {
    if (this.#acknowledged === epoch) this.#acknowledged = epoch - 1;
  }

  /** When the hub has to look after it next, on the monotonic clock. */
  dueAt(): number {
    const { leaseMs } = this.settings;
    const renewal = Math.max(this.#readMono + leaseMs * RENEW_AFTER, this.#triedMono + leaseMs * RETRY_AFTER);
    return this.#lost ? renewal : Math.min(renewal, this.#readMono + leaseMs * LOST_AFTER);
  }

  /** Whether it is time to read its session again, which is not asked twice in a moment. */
  takesRenewal(mono: number): boolean {
    const { leaseMs } = this.settings;
    if (mono - this.#triedMono < leaseMs * RETRY_AFTER) return false;
    if (!this.#dirty && mono - this.#readMono < leaseMs * RENEW_AFTER) return false;
    this.#triedMono = mono;
    return true;
  }

  /** Gives the session up when its lease has run out: whoever guards it cannot know what was decided. */
  loseIfOver(mono: number): void {
    if (this.#lost || this.#closed || mono - this.#readMono < this.settings.leaseMs * LOST_AFTER) return;
    this.#lost = true;
    this.react();
  }

  /** Whether there is something to write down by now. */
  wantsFlush(mono: number, presenceMs: number): boolean {
    const since = mono - this.flushedAt;
    const { idleTimeoutSec } = this.session.limitsInForce;
    const often = idleTimeoutSec === null ? FLUSH_MS : Math.min(FLUSH_MS, (idleTimeoutSec * 1_000) / 3);
    if (this.reports >= MANY_REPORTS) return true;
    return since >= (this.reports > 0 || this.stirred ? often : presenceMs);
  }

  /** Whether nothing can come of it any more: it has ended, answered and reported all. */
  get spent(): boolean {
    const { enforcement, status } = this.session;
    const asked = enforcement.peps.some(({ id, ackAt }) => id === this.settings.pepId && ackAt === null);
    return (this.#deleted || isOver({ status })) && !asked && this.#inFlight === 0 && this.reports === 0;
  }

  record(usage: Partial<Usage>): void {
    this.pending = addUsage(this.pending, usage);
    this.reports += 1;
    this.stirred = true;
  }

  /** Throws `SessionBlockedError` unless the session may go on, going by a reading that is younger than the lease. */
  async check(): Promise<void> {
    await this.#current();
    this.#throwBlock();
    const reached = limitReached({ ...this.session, usage: this.#spentUsage() }, this.env.clock.now());
    this.stirred = true;
    if (reached === undefined) return;
    // Reported at once, so that the session is suspended for everybody; this call is refused whether that succeeds or not.
    await this.keeper.flush([this]).catch(() => undefined);
    const { epoch } = this;
    throw new SessionBlockedError({ status: "suspended", reason: `limit_reached:${reached}`, epoch });
  }

  async run<R>(work: (call: GuardedCall) => Promise<R> | R, { usage }: WrapOptions<R>): Promise<R> {
    // What is decided after a check and before the call begins counts too: from here on nothing is waited for.
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

  /** Refuses everything from now on; `false` when it has done so before. */
  shut(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.#abort(this.#block() as SessionBlockedError);
    return true;
  }

  /** Waits for a reading when what is known is too old, or known to be out of date; at most as long as a lease is. */
  async #current(): Promise<void> {
    const { tenantId, leaseMs } = this.settings;
    const end = performance.now() + leaseMs;
    let read = true;
    // What has ended stays so, and is read no more.
    while (!this.#closed && !this.#deleted && !isOver(this.session) && !this.#fresh()) {
      if (!read || performance.now() >= end) {
        this.#lost = true;
        return this.react();
      }
      // What was read while something was being decided is read once more.
      read = await within(end - performance.now(), this.keeper.refresh(tenantId));
    }
  }

  #fresh(): boolean {
    const { leaseMs } = this.settings;
    if (this.#dirty || this.#lost) return false;
    return performance.now() - this.#readMono < leaseMs && this.env.clock.now() - this.#readAt < leaseMs;
  }

  /** Whether the result of a call may go out: a suspension lets a call finish, where it is graceful. */
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
    const { controlEpoch: epoch, control } = this.session;
    const because = (status: SessionBlockedError["status"], reason: string) =>
      new SessionBlockedError({ status, reason, epoch });
    if (this.#closed) return because("closed", "closed");
    if (this.#deleted) return because("deleted", "deleted");
    const { status } = this.#seen();
    if (this.#lost && !isOver({ status })) return because("unknown", "lease_lost");
    if (status !== "active") return because(status, (isDecided(status) && control?.reason) || status);
    return this.#stopped === undefined ? undefined : because("active", this.#stopped);
  }

  /** The session as it is at this moment, whatever has been stored. */
  #seen(): Session {
    const due = sessions.staleAt?.(this.session) ?? null;
    if (due === null || !sessions.derive) return this.session;
    const now = timestamp(this.env.clock.now());
    return due <= now ? sessions.derive(this.session, now) : this.session;
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

/** When a reading began, on the control plane's clock and on one that only runs forward. */
export interface Moments {
  readonly clock: number;
  readonly mono: number;
}

function isDecided(status: string): boolean {
  return status === "suspended" || status === "terminating" || status === "terminated";
}

/** What `running` gives, or the reason of the signal as soon as it fires. */
function untilAborted<R>(running: Promise<R>, signal: AbortSignal): Promise<R> {
  return new Promise((resolve, reject) => {
    const cut = () => reject(signal.reason as Error);
    if (signal.aborted) cut();
    signal.addEventListener("abort", cut, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener("abort", cut));
  });
}

/** What the work gives, or `false` when it takes longer than this. */
async function within(ms: number, work: Promise<boolean>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
