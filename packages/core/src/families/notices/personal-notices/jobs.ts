import { accessDrift } from "#families/access-drift/index.js";
import { assets, halts, mcpServers } from "#families/estate/index.js";
import { findings } from "#families/findings/index.js";
import { users } from "#families/identity/index.js";
import { optionsOf } from "#families/options.js";
import { platformGates } from "#families/platform/index.js";
import { reviews } from "#families/reviews/index.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import { deliveries } from "#kernel/events/outbox.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { processContext, processFacts } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { delegations } from "../delegations/schema.js";
import { deliverDue } from "./deliver/deliver-due.js";
import { followChain } from "./follow/follow-chain.js";
import { followTime, nextByTime } from "./follow/follow-time.js";
import { Room } from "./follow/room.js";
import { noticeMailboxes } from "./schema.js";

/** The collections whose commits people may be told of at once. All else is found by the next tick. */
const WATCHED = [reviews, assets, halts, findings, accessDrift, mcpServers, users, delegations].map(({ name }) => name);

/**
 * The shortest time between two runs that commits of a tenant begin, in ms. A run reads and notes how far it is, so one
 * after each commit of a busy tenant would cost more than the commits do.
 */
const PAUSE_MS = 250;

/** How long mails wait at the most while there is still more to tell of. */
const LONGEST_WAIT = minutesMs(5);

/** Tells people after each commit of this process that may concern them. */
class NoticeRuns {
  /** Tenants whose last run began just now, and whether something was committed since. */
  readonly #pausing = new Map<string, boolean>();

  constructor(readonly env: Environment) {
    env.onCommit(({ tenantId, collections }) => {
      if (WATCHED.some((name) => collections.has(name))) this.#committed(tenantId);
    });
  }

  #committed(tenantId: string): void {
    if (this.#pausing.has(tenantId)) return void this.#pausing.set(tenantId, true);
    this.#pausing.set(tenantId, false);
    setTimeout(() => {
      const isDue = this.#pausing.get(tenantId);
      this.#pausing.delete(tenantId);
      if (isDue) this.#committed(tenantId);
    }, PAUSE_MS).unref();
    this.#begin(tenantId);
  }

  /** Begins a run that nobody waits for. */
  #begin(tenantId: string): void {
    this.run(tenantId).catch((error: unknown) => {
      this.env.logger.warn({ error: String(error), tenantId }, "notices wait for the next tick");
    });
  }

  /**
   * Calls during a run share one run after it, and what a run leaves is done behind it. Returns how many notices were made or
   * ended, and mails taken.
   */
  async run(tenantId: string): Promise<number> {
    const { sent, goesOn } = await this.env.use(deliveries).run(`notices ${tenantId}`, async (isOpen) => {
      const tenant = await this.env.use(platformGates).tenant(tenantId);
      const newContext = () =>
        processContext(this.env, systemPrincipal(tenantId), processFacts(this.env, "notices", { tenant }));
      const room = new Room(isOpen);
      await followChain(newContext, room);
      if (room.mayGoOn) await followTime(newContext, room);
      // Who is told of very much at once gets one mail of it, or one now and then.
      const through = timestamp(this.env.clock.now() - (room.isFull ? LONGEST_WAIT : 0));
      return { sent: room.settled + (await deliverDue(newContext, through, isOpen)), goesOn: room.isFull };
    });
    if (goesOn) this.#begin(tenantId);
    return sent;
  }
}

const noticeRuns = defineService("notices.noticeRuns", (env) => new NoticeRuns(env));

const isOn = (env: Environment): boolean => optionsOf(env).notices;

/** When people are to be told of something: after each event, and when a mail is due. */
export const noticeDues: readonly Due[] = [
  dueBy(noticeMailboxes, "dueAt", { after: (env) => (isOn(env) ? 0 : undefined) }),
  { watchesEvents: (env) => isOn(env) && env.use(noticeRuns) !== undefined },
  { next: async (env, reader, now) => (isOn(env) ? nextByTime(env, reader, now) : null) },
];

/** Tells people of a tenant what they have not heard of yet. Returns how many notices were made or ended, and mails taken. */
export const runNoticeJobs = async (env: Environment, tenantId: string): Promise<number> =>
  isOn(env) ? env.use(noticeRuns).run(tenantId) : 0;
