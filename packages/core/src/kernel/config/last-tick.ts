import { defineService } from "./environment.js";

/** When `tick` last went through all tenants in this process; `null` before that. */
export const lastTick = defineService("kernel.lastTick", (): { at: string | null } => ({ at: null }));
