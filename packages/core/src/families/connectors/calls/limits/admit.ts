import { platformGates } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";

/** The kill switch of every call to the outside. */
export const OUTBOUND = "connectors.outbound";

/** 503 while calls to the outside are switched off, and where nobody can tell. */
export async function admitOutbound(env: Environment): Promise<void> {
  const engaged = await env
    .use(platformGates)
    .engagedSwitch([OUTBOUND])
    .catch((cause: unknown) => {
      throw new ReeveError("storage_unavailable", "It cannot be told whether calls are switched off.", { cause });
    });
  if (engaged !== undefined)
    throw new ReeveError("kill_switch_active", "Calls of connectors are switched off by the provider.");
}
