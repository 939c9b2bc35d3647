import type { RestoreProgress } from "@reeve/core";
import { storeName } from "../../service/store.js";
import type { Settings } from "../../settings/settings.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import type { Output } from "../output.js";
import { withRestored } from "../with-control-plane.js";

/** Ends tokens, codes and links that a restored backup has brought back. Run it before a server starts. */
export async function endRestored(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  const done = await ended(settings, output);
  output.result(done, `Done: ${endedOf(done)}, in ${storeName(settings.store)}`);
  return 0;
}

/** Ends what a restored backup has brought back. Rejects with `Failure`. */
export function ended(settings: Settings, output: Output): Promise<RestoreProgress> {
  return withRestored(settings, (controlPlane) =>
    controlPlane.afterRestore((progress) => output.progress(endedOf(progress))),
  );
}

/** The counts as text. */
export function endedOf({ tenants, ended }: RestoreProgress): string {
  return `${ended} tokens, codes, links and keys of ${tenants} tenants ended`;
}
