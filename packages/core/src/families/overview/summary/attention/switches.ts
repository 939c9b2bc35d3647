import { assets, engagedSwitchesOf, switchedOffAssets } from "#families/estate/index.js";
import { KILL_SWITCHES, switchOfTenant } from "#families/platform/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { AttentionItem, Source } from "./item.js";

/** What each switch of the provider for many assets stops, as a list of the tenant's own. */
const STOPS: Readonly<Partial<Record<keyof typeof KILL_SWITCHES, string>>> = {
  "ai.all": "/api/v1/ai-assets",
  "ai.agents": "/api/v1/ai-assets?assetType=agent",
  "ai.mcp": "/api/v1/ai-assets?assetType=mcp_server",
};
/** The most assets that are named as switched off one by one. */
const NAMED = 25;

const stopped = (title: string, href: string): AttentionItem => ({
  kind: "kill_switch_engaged",
  severity: "critical",
  title,
  count: 1,
  href,
  at: null,
});

const switchedOff = (what: string): string => `Switched off by the provider: ${what}`;

/** Kill switches of the provider that stop assets of the tenant, each with what it stops. */
export const switchesSource: Source = {
  permission: "ai-asset:read",
  async find(ctx) {
    const engaged = await engagedSwitchesOf(ctx);
    if (engaged.size === 0) return [];
    const ofAll = Object.entries(STOPS).filter(([key]) => engaged.has(key));
    const items = ofAll.map(([key, href]) => stopped(switchedOff(KILL_SWITCHES[key as keyof typeof STOPS]), href));
    if (engaged.has(switchOfTenant(ctx.db.tenantId)))
      items.push(stopped(switchedOff("Every AI asset of this tenant"), "/api/v1/ai-assets"));
    const own = await inChunks(switchedOffAssets(engaged), (some) => ctx.db.getMany(assets, some));
    for (const { id, value } of own.slice(0, NAMED))
      items.push(stopped(switchedOff(`"${value.name}"`), `/api/v1/ai-assets/${id}`));
    return items;
  },
};
