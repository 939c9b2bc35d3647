import type { EventsVerification } from "@reeve/core";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { withRestored } from "../with-control-plane.js";

/** Verifies the event chain of every tenant. Each fault is a JSON line. Exit code 2 when there is any. */
export async function verifyEvents(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const found = await withRestored(settingsOf(invocation), (controlPlane) =>
    controlPlane.verifyEvents((progress) => output.progress(countsOf(progress))),
  );
  for (const fault of found.faults) output.item(fault);
  output.result(found, `Done: ${countsOf(found)}`);
  return found.faults.length > 0 ? 2 : 0;
}

/** The counts as text. */
export function countsOf({ tenants, events, faults }: EventsVerification): string {
  return `${events} events of ${tenants} tenants, ${faults.length} chains with faults`;
}
