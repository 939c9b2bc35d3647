import type { components } from "../../../api/client.js";
import { connections } from "../../../texts/en/connections.js";
import type { Tone } from "../../../ui/status-badge.js";

export type Connection = components["schemas"]["ConnectorInstance"];
export type Import = components["schemas"]["ConnectorImport"];
export type ImportLine = components["schemas"]["ConnectorImportItem"];
export type Run = components["schemas"]["DiagnosticsRun"];

export const STATUSES = Object.keys(connections.states) as readonly Connection["status"][];
export const HEALTHS = Object.keys(connections.healths) as readonly Connection["health"][];
export const ACTIONS = Object.keys(connections.imports.actions).filter(
  (action) => action !== "rejected",
) as readonly ImportLine["action"][];

export const HEALTH_TONES: Readonly<Record<Connection["health"], Tone>> = {
  healthy: "good",
  degraded: "warning",
  down: "bad",
  misconfigured: "bad",
  unknown: "unknown",
};

export const RUN_TONES: Readonly<Record<Run["status"], Tone>> = { passed: "good", warning: "warning", failed: "bad" };

export const IMPORT_TONES: Readonly<Record<Import["status"], Tone>> = {
  queued: "busy",
  discovering: "busy",
  awaiting_confirmation: "warning",
  importing: "busy",
  completed: "good",
  partially_completed: "warning",
  failed: "bad",
  cancelled: "neutral",
  expired: "neutral",
  superseded: "neutral",
};

const UNDER_WAY: ReadonlySet<Import["status"]> = new Set(["queued", "discovering", "importing"]);
export const isUnderWay = ({ status }: Import) => UNDER_WAY.has(status);

/** Lines that change something here. */
export const changesOf = ({ counts: { create, update, link } }: Import) => create + update + link;
