import { useSearch } from "@tanstack/react-router";
import { choice, textOf } from "../../api/search.js";
import { versionsSearchOf } from "../../ui/versions/search.js";
import { ENVIRONMENTS, GOVERNANCE, LIFECYCLE, RISKS, TYPES } from "./terms.js";

/** The filters of the list of assets, which stand in its address. */
export const estateSearchOf = (search: Record<string, unknown>) => ({
  q: textOf(search.q),
  type: choice(search.type, TYPES),
  governance: choice(search.governance, GOVERNANCE),
  lifecycle: choice(search.lifecycle, LIFECYCLE),
  environment: choice(search.environment, ENVIRONMENTS),
  risk: choice(search.risk, RISKS),
  team: textOf(search.team),
  owner: textOf(search.owner),
});

/** The parts of the page of an asset. */
export const ASSET_TABS = ["overview", "relations", "findings", "access", "sessions", "versions", "activity"] as const;

export const assetSearchOf = (search: Record<string, unknown>) => ({
  tab: choice(search.tab, ASSET_TABS),
  ...versionsSearchOf(search),
});

export const useAssetSearch = (): ReturnType<typeof assetSearchOf> => useSearch({ strict: false });
