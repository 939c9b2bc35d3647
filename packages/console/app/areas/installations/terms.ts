import type { components } from "../../api/client.js";
import { installations } from "../../texts/en/installations.js";
import type { Tone } from "../../ui/status-badge.js";

export type Installation = components["schemas"]["Installation"];
export type EnrolmentCode = components["schemas"]["EnrolmentCode"];
export type Publication = components["schemas"]["Publication"];
export type Bundle = components["schemas"]["PublicationBundle"];

export const CLIENTS = Object.keys(installations.clients) as readonly Installation["client"][];
export const STATES = Object.keys(installations.states) as readonly Installation["status"][];
export const CODE_STATES = Object.keys(installations.codes.states) as readonly EnrolmentCode["status"][];

/** Clients whose files are published. */
export const PUBLISHED = ["claude-code", "codex", "copilot", "gemini-cli", "vscode", "cursor"] as const;

export const STATE_TONES: Readonly<Record<Installation["status"], Tone>> = { active: "good", revoked: "bad" };
/** A machine that is silent or has never reported is not taken for one that complies. */
export const EFFECT_TONES: Readonly<Record<Installation["effect"], Tone>> = {
  ...{ in_force: "good", older: "busy", other: "bad", silent: "warning", unknown: "unknown" },
};
export const CODE_TONES: Readonly<Record<EnrolmentCode["status"], Tone>> = {
  ...{ active: "good", used_up: "neutral", expired: "neutral", revoked: "bad" },
};
