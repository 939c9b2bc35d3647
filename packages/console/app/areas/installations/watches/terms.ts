import type { components } from "../../../api/client.js";
import { watches } from "../../../texts/en/watches.js";
import type { Tone } from "../../../ui/status-badge.js";

export type Watch = components["schemas"]["EnforcementWatch"];
export type Summary = components["schemas"]["EnforcementWatchSummary"];
export type WatchedCall = components["schemas"]["WatchedCall"];

export const WATCH_STATES = Object.keys(watches.states) as readonly Watch["status"][];

/** While calls are only watched they are not denied, so that is no good state. */
export const WATCH_TONES: Readonly<Record<Watch["status"], Tone>> = {
  ...{ requested: "busy", watching: "warning", rejected: "neutral" },
  ...{ enforced: "good", expired: "neutral", lapsed: "neutral" },
};
