import type { components } from "../../api/client.js";
import { notices } from "../../texts/en/notices.js";
import type { Tone } from "../../ui/status-badge.js";

export type Notice = components["schemas"]["Notice"];
export type Preferences = components["schemas"]["NoticePreferencesState"];
export type Delegation = components["schemas"]["Delegation"];
export type Kind = Notice["kind"];

export const KINDS = Object.keys(notices.kinds) as readonly Kind[];
export const STATES = Object.keys(notices.states) as readonly Notice["status"][];
export const READING = Object.keys(notices.reading) as readonly (keyof typeof notices.reading)[];

export const STATE_TONES: Readonly<Record<Notice["status"], Tone>> = { open: "busy", over: "neutral" };
