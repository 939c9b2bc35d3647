import { defineService } from "./environment.js";

/** When `tick` last completed for all tenants in this process. `null` before the first time. */
export const lastTick = defineService("kernel.lastTick", (): { at: string | null } => ({ at: null }));
