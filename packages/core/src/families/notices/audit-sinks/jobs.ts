import { optionsOf } from "#families/options.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { deliveries } from "#kernel/events/outbox.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { auditPositions } from "./schema.js";
import { sendToSinks } from "./send-to-sinks.js";

/** Sends to the sinks of the host after each commit of this process. */
class AuditRuns {
  constructor(readonly env: Environment) {
    env.onCommit(({ tenantId }) => {
      this.send(tenantId).catch((error: unknown) => {
        env.logger.warn({ error: String(error), tenantId }, "audit sinks wait for the next tick");
      });
    });
  }

  /** Calls during a run share one run after it. Returns how many events were taken. */
  async send(tenantId: string): Promise<number> {
    const { sent } = await this.env.use(deliveries).run(`audit ${tenantId}`, async (isOpen) => {
      return { sent: await sendToSinks(this.env, tenantId, isOpen), goesOn: false };
    });
    return sent;
  }
}

const auditRuns = defineService("notices.auditRuns", (env) => new AuditRuns(env));

const hasSinks = (env: Environment) => optionsOf(env).auditSinks.length > 0;

/** When sinks have something to take: after each event, and when they have rested. */
export const auditDues: readonly Due[] = [
  dueBy(auditPositions, "restsUntil", { after: (env) => (hasSinks(env) ? 0 : undefined) }),
  { watchesEvents: (env) => hasSinks(env) && env.use(auditRuns) !== undefined },
];

/** Gives the sinks of the host what they have not got of a tenant. Returns how many events were taken. */
export const runAuditJobs = async (env: Environment, tenantId: string): Promise<number> =>
  hasSinks(env) ? env.use(auditRuns).send(tenantId) : 0;
