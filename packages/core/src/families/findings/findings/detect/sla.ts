import { boundedSettings } from "#families/platform/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { SlaDays } from "./detection.js";

/** The days to resolve findings in, by severity: the tenant's, within the provider's. */
export async function slaDaysOf(ctx: ReadContext): Promise<SlaDays> {
  return (await boundedSettings(ctx)).slaDays;
}
