import type { components } from "../../../api/client.js";
import { exemptions } from "../../../texts/en/exemptions.js";
import type { Tone } from "../../../ui/status-badge.js";

export type Exemption = components["schemas"]["Exemption"];
/** What an exemption takes in. */
export type Scope = NonNullable<components["schemas"]["ExemptionRequest"]["scope"]>;
export type Category = Exemption["category"];

export const EXEMPTION_STATES = Object.keys(exemptions.states) as readonly Exemption["status"][];
export const CATEGORIES = Object.keys(exemptions.categories) as readonly Category[];

export const EXEMPTION_TONES: Readonly<Record<Exemption["status"], Tone>> = {
  requested: "busy",
  approved: "good",
  rejected: "bad",
  withdrawn: "neutral",
  revoked: "warning",
  expired: "neutral",
  superseded: "neutral",
  lapsed: "neutral",
};

/** Whole days from now until a moment. */
export const daysUntil = (at: string) => Math.floor((Date.parse(at) - Date.now()) / 86_400_000);

/** So many days before its end an exemption is shown to end. */
export const SOON = 14;
