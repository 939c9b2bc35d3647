import type { Environment } from "../../../../kernel/config/environment.js";
import { settings } from "../../../platform/index.js";
import type { SlaDays } from "./detection.js";

/** The days to resolve findings in, by severity, from the platform settings. */
export function slaDaysOf(env: Environment): SlaDays {
  return env.use(settings).get("findings.slaDays");
}
