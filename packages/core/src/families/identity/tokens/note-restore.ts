import { PLATFORM_TENANT } from "#families/platform/index.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";

/** Restores are one stream of events. */
const STREAM = "restore";

/** When a backup was last restored. It is read once, because no server runs during a restore. */
class LastRestore {
  #at: Promise<number> | undefined;

  constructor(readonly env: Environment) {}

  /** Milliseconds since the epoch; 0 for never. */
  at(): Promise<number> {
    this.#at ??= this.#read().catch((error: unknown) => {
      this.#at = undefined;
      throw error;
    });
    return this.#at;
  }

  forget(): void {
    this.#at = undefined;
  }

  async #read(): Promise<number> {
    const { events } = await this.env.store.forTenant(PLATFORM_TENANT).events({ stream: STREAM, size: 1 });
    const [newest] = events;
    return newest ? Date.parse((JSON.parse(newest.attributes) as { time: string }).time) : 0;
  }
}

/** When a backup was last restored. What was signed before may have been used after the backup was made. */
export const lastRestore = defineService("identity.lastRestore", (env) => new LastRestore(env));

/** Notes that a backup was restored now. */
export async function noteRestore(env: Environment): Promise<void> {
  await systemContext(env, PLATFORM_TENANT, "restore").write((ctx) =>
    ctx.emit({
      type: "platform.restored",
      severity: "WARN",
      subject: { id: STREAM, type: "platform", path: "/api/v1/monitor/ping" },
      data: {},
    }),
  );
  env.use(lastRestore).forget();
}
