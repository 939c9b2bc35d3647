import type { EventsVerification } from "@reeve/core";
import { storeName } from "../../service/store.js";
import { checkpointsOf, checkThere } from "../checkpoint-file.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import type { Output } from "../output.js";
import { withRestored } from "../with-control-plane.js";

/** Options of what verifies event chains. */
export interface VerifyOptions {
  /** A file of checkpoints kept elsewhere. */
  readonly checkpoints?: string;
}

/**
 * Verifies the event chain of every tenant. Each fault is a JSON line, and so is each chain that ends before a
 * checkpoint. Exit code 2 when there is any.
 */
export async function verifyEvents(invocation: Invocation, { checkpoints }: VerifyOptions): Promise<ExitCode> {
  const { output } = invocation;
  checkThere(checkpoints);
  const settings = settingsOf(invocation);
  const found = await withRestored(settings, (controlPlane) =>
    controlPlane.verifyEvents(
      (progress) => output.progress(countsOf(progress)),
      checkpoints === undefined ? {} : { checkpoints: checkpointsOf(checkpoints) },
    ),
  );
  for (const fault of found.faults) output.item(fault);
  reportBeyond(output, found);
  output.result(found, `Done: ${countsOf(found)}, in ${storeName(settings.store)}`);
  return found.faults.length > 0 || found.beyond.length > 0 ? 2 : 0;
}

/** A line for each chain that ends before a checkpoint. */
export function reportBeyond(output: Output, { beyond }: EventsVerification): void {
  for (const one of beyond)
    output.item({ ...one, reason: `the chain ends at ${one.head}; a checkpoint knows event ${one.sequence}` });
}

/** The counts as text. */
export function countsOf({ tenants, events, faults, beyond }: EventsVerification): string {
  const short = beyond.length > 0 ? `, ${beyond.length} chains that end before a checkpoint` : "";
  return `${events} events of ${tenants} tenants, ${faults.length} chains with faults${short}`;
}
