import type { components } from "../../api/client.js";
import { administration } from "../../texts/en/administration.js";
import type { Tone } from "../../ui/status-badge.js";

export type User = components["schemas"]["User"];
export type FactorReset = components["schemas"]["SecondFactorReset"];

export type Machine = components["schemas"]["AiIdentity"];
export type Erasure = components["schemas"]["Erasure"];
export type TenantSettings = components["schemas"]["TenantSettings"];

export const STATUSES = Object.keys(administration.states) as readonly User["status"][];
/** The built-in roles of a tenant. A host may have more, which are shown by their names. */
export const ROLES = Object.keys(administration.roles) as readonly (keyof typeof administration.roles)[];

export const MACHINE_STATES = Object.keys(administration.machines.states) as readonly Machine["status"][];
export const ERASURE_STATES = Object.keys(administration.erasures.states) as readonly Erasure["status"][];

export const STATUS_TONES: Readonly<Record<User["status"], Tone>> = {
  active: "good",
  invited: "busy",
  disabled: "neutral",
};

export const roleName = (role: string): string =>
  role in administration.roles ? administration.roles[role as keyof typeof administration.roles] : role;

export const MACHINE_TONES: Readonly<Record<Machine["status"], Tone>> = {
  ...{ active: "good", disabled: "neutral", expired: "warning", revoked: "bad" },
};
