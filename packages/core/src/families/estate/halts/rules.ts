import type { Asset } from "../assets/schema.js";
import type { Halt } from "./schema.js";

/** What a halt can stop: an asset, or any asset of a type when the id is `null`. */
interface Haltable extends Pick<Asset, "assetType"> {
  readonly id: string | null;
  readonly team?: Asset["team"];
}

/** Whether a halt stops such an asset by itself, and not by what it depends on. */
export function isHalted(
  { scope, target }: Pick<Halt, "scope" | "target">,
  { id, assetType, team }: Haltable,
): boolean {
  if (scope === "mcp_server") return id !== null && id === target;
  if (assetType !== "agent") return false;
  return scope === "all_agents" || (team?.id ?? null) === target;
}
