import type { Manifest } from "#connectors/index.js";
import type { ConnectorInstance } from "#families/connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { coverageOf } from "../scans/rules.js";

/** What is read on schedule. */
export type Reading = "sync" | "driftScan";

/** Syncs of this many intervals may fail before what is known of a target counts as old. */
const MISSED = 2;

const canRead: Readonly<Record<Reading, (manifest: Manifest) => boolean>> = {
  sync: ({ capabilities, resourceTypes = [] }) => capabilities.includes("resources") && resourceTypes.length > 0,
  driftScan: ({ capabilities }) => coverageOf(capabilities) !== "none" || capabilities.includes("credentials"),
};

/** Milliseconds between two readings of a connection; `undefined` while there are none by themselves. */
export function intervalOf(
  env: Environment,
  { status, providerKey, schedule }: Pick<ConnectorInstance, "status" | "providerKey" | "schedule">,
  reading: Reading,
): number | undefined {
  const manifest = env.connectors.get(providerKey)?.manifest;
  const every = schedule[reading];
  return status === "active" && every !== null && manifest && canRead[reading](manifest)
    ? millisecondsOf(every)
    : undefined;
}

/** Seconds after its last sync from which what is known of a target is old; `null` when nobody said how often. */
export const staleAfterSeconds = ({ schedule }: Pick<ConnectorInstance, "schedule">): number | null =>
  schedule.sync === null ? null : (MISSED * millisecondsOf(schedule.sync)) / 1_000;
