import { endSignIns, ensureProviderAdmin, ensureTenant, rotateSigningKey } from "../families/identity/index.js";
import { measureBacklog, tenantsBehind } from "../families/notices/index.js";
import type { Environment } from "../kernel/config/environment.js";
import { storeOf } from "../kernel/config/store-access.js";
import { requireKnownMigrations } from "../kernel/config/unknown-migrations.js";
import { inProcess } from "../kernel/http/in-process.js";
import { tableOf } from "../kernel/operation/table.js";
import { renewDataKey, requireAllSecretsKnown, rewrapKeys } from "../kernel/operation/vault/rotate.js";
import { timestamp } from "../ports/clock.js";
import { afterRestore } from "./after-restore.js";
import type { ControlPlane } from "./control-plane.js";
import { everyTenant } from "./every-tenant.js";
import type { Lifecycle } from "./lifecycle.js";
import { tick } from "./tick.js";
import type { Ticker } from "./ticker.js";
import { verifyEvents } from "./verify-events.js";

type Administration = Pick<
  ControlPlane,
  | "afterRestore"
  | "backlog"
  | "ensureProviderAdmin"
  | "ensureTenant"
  | "rotateKeys"
  | "rotateSigningKey"
  | "start"
  | "stop"
  | "tick"
  | "verifyEvents"
>;

/**
 * A tick at `now`, the present when absent. Once `signal` has aborted nothing further begins, and closing waits for what
 * has.
 */
export function runTick(env: Environment, lifecycle: Lifecycle, now?: Date, signal = lifecycle.closing) {
  return lifecycle.run(() => tick(env, timestamp(now?.getTime() ?? env.clock.now()), signal));
}

/** Administration of all tenants of a control plane. */
export function administration(env: Environment, lifecycle: Lifecycle, ticker: Ticker): Administration {
  return {
    start: (onTick) => ticker.start(onTick),
    stop: () => ticker.stop(),
    ensureProviderAdmin: (admin) => lifecycle.run(() => ensureProviderAdmin(env, admin)),
    ensureTenant: (tenant) =>
      lifecycle.run(() => ensureTenant(env, tenant)).catch((thrown: unknown) => Promise.reject(inProcess(thrown))),
    rotateSigningKey: (rotation) =>
      lifecycle.run(async () => {
        const rotated = await rotateSigningKey(env, rotation);
        if (rotation?.overlap === false)
          for await (const tenantId of everyTenant(env.store)) await endSignIns(env, tenantId);
        return rotated;
      }),
    async rotateKeys({ dataKeys = false, onProgress } = {}) {
      await lifecycle.ready();
      if (dataKeys) await requireAllSecretsKnown(env);
      const { collections } = env.use(tableOf);
      const done = { keys: 0, secrets: 0 };
      for await (const tenantId of everyTenant(env.store)) {
        done.keys += await rewrapKeys(env, tenantId);
        if (dataKeys) done.secrets += await renewDataKey(env, tenantId, collections);
        onProgress?.({ tenantId, ...done });
      }
      return done;
    },
    async afterRestore(onProgress) {
      await lifecycle.opened();
      await requireKnownMigrations(env, "end what the backup has brought back");
      const done = await afterRestore(env, onProgress);
      const store = storeOf(env);
      if ((await store.status()).restored) await store.markRestored?.(false);
      return done;
    },
    async verifyEvents(onProgress, options) {
      await lifecycle.opened();
      return verifyEvents(env.store, onProgress, options);
    },
    async backlog({ everywhere = false } = {}) {
      await lifecycle.opened();
      return measureBacklog(env, everywhere ? everyTenant(env.store) : [...env.use(tenantsBehind)]);
    },
    tick: (now) => runTick(env, lifecycle, now),
  };
}
