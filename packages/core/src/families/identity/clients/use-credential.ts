import { boundedCache } from "#kernel/async/bounded-cache.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { clientCredentials } from "./schema.js";

const REMEMBERED = 10_000;

/** When this process last stored the use of a credential. */
const written = defineService("identity.credentialUse", () => boundedCache<string, number>(REMEMBERED));

/**
 * Stores the use of a credential, at most once a minute. It never rejects, so callers need not wait: failures are
 * logged.
 */
export async function recordCredentialUse(env: Environment, tenantId: string, credentialId: string): Promise<void> {
  const seen = env.use(written);
  const now = env.clock.now();
  if (now - (seen.get(credentialId) ?? Number.NEGATIVE_INFINITY) < minutesMs(1)) return;
  seen.set(credentialId, now);
  try {
    await systemContext(env, tenantId, "use").write(async (ctx) => {
      const previous = (await ctx.db.get(clientCredentials, credentialId))?.value;
      if (!previous) return;
      const { lastUsedAt } = previous;
      if (lastUsedAt !== null && now - Date.parse(lastUsedAt) < minutesMs(1)) return;
      await ctx.update(clientCredentials, previous, { lastUsedAt: timestamp(now) });
    });
  } catch (error) {
    seen.delete(credentialId);
    env.logger.warn({ credentialId, error: String(error) }, "the use of a credential is not written down");
  }
}
