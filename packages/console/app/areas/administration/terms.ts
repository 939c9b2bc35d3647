import type { components } from "../../api/client.js";
import { administration } from "../../texts/en/administration.js";
import { webhooks } from "../../texts/en/webhooks.js";
import type { Tone } from "../../ui/status-badge.js";

export type Roles = components["schemas"]["Roles"];
export type User = components["schemas"]["User"];
export type FactorReset = components["schemas"]["SecondFactorReset"];

export type Machine = components["schemas"]["AiIdentity"];
export type Erasure = components["schemas"]["Erasure"];
export type ChatChannel = components["schemas"]["ChatChannel"];
export type Webhook = components["schemas"]["Webhook"];
export type WebhookAttempt = components["schemas"]["WebhookAttempt"];
export type TenantSettings = components["schemas"]["TenantSettings"];

export const STATUSES = Object.keys(administration.states) as readonly User["status"][];
export const MACHINE_STATES = Object.keys(administration.machines.states) as readonly Machine["status"][];
export const ERASURE_STATES = Object.keys(administration.erasures.states) as readonly Erasure["status"][];
export const WEBHOOK_STATES = Object.keys(webhooks.states) as readonly Webhook["status"][];
export const OUTCOMES = Object.keys(webhooks.attempts.outcomes) as readonly WebhookAttempt["outcome"][];

export const STATUS_TONES: Readonly<Record<User["status"], Tone>> = {
  active: "good",
  invited: "busy",
  disabled: "neutral",
};

/** The built-in roles have names in words. Those of a host are shown as they are called. */
export const roleName = (role: string): string =>
  role in administration.roles ? administration.roles[role as keyof typeof administration.roles] : role;

export const MACHINE_TONES: Readonly<Record<Machine["status"], Tone>> = {
  ...{ active: "good", disabled: "neutral", expired: "warning", revoked: "bad" },
};
