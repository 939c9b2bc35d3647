import { providerAdminFault } from "@reeve/core";
import { Failure } from "../../failure.js";
import { createCommandLog } from "../../log.js";
import { usable } from "../../service/control-plane.js";
import { provideMasterKey } from "../../service/master-key.js";
import { PASSWORD_LENGTH } from "../../settings/values.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { readSecret } from "../read-secret.js";
import { withControlPlane } from "../with-control-plane.js";

/** Creates an administrator of the provider. Reads the password from standard input, without echo. */
export async function createAdmin(invocation: Invocation, username: string): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  if (process.stdin.isTTY) output.print(`Password of ${username}:`);
  const admin = { username, password: await readSecret("password") };
  const fault = providerAdminFault(admin, PASSWORD_LENGTH);
  if (fault !== undefined) throw new Failure(fault);
  await usable(settings, provideMasterKey(settings, createCommandLog(settings.logLevel)));
  const outcome = await withControlPlane(settings, (controlPlane) => controlPlane.ensureProviderAdmin(admin));
  const said = outcome === "created" ? "is an administrator now" : "was one already, and keeps the password";
  output.result({ username, outcome }, `${username} ${said}`);
  return 0;
}
