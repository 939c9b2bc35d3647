import type { RestoreProgress } from "@reeve/core";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { withControlPlane } from "../with-control-plane.js";

/** Ends tokens, codes and links that a restored backup has brought back. Run it before a server starts. */
export async function endRestored(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const done = await withControlPlane(settingsOf(invocation), (controlPlane) =>
    controlPlane.afterRestore((progress) => output.progress(endedOf(progress))),
  );
  output.result(done, `Done: ${endedOf(done)}`);
  return 0;
}

/** The counts as text. */
export function endedOf({ tenants, ended }: RestoreProgress): string {
  return `${ended} tokens, codes, links and keys of ${tenants} tenants ended`;
}
