import type { components } from "../../api/client.js";
import { provider } from "../../texts/en/provider.js";
import type { Tone } from "../../ui/status-badge.js";

export type Organisation = components["schemas"]["Organisation"];
export type SupportTenant = components["schemas"]["SupportTenant"];
export type SupportUser = components["schemas"]["SupportUser"];
export type Entitlement = components["schemas"]["Entitlement"];
export type KillSwitch = components["schemas"]["KillSwitch"];
export type ConfigEntry = components["schemas"]["ConfigEntry"];

export const TENANT_STATES = Object.keys(provider.tenants.states) as readonly Organisation["status"][];

export const TENANT_TONES: Readonly<Record<Organisation["status"], Tone>> = {
  ...{ active: "good", suspended: "warning", closed: "bad" },
  ...{ erasing: "busy", erased: "neutral" },
};

/** Keys of queries of this area: support acts are events of the provider's own stream. */
export const TENANTS = ["support_tenant"] as const;
export const SWITCHES = ["kill_switch"] as const;
export const CONFIG = ["platform_setting"] as const;
