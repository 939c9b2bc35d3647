import type { ImportItem } from "@reeve/core";
import { sampleBody } from "./samples.js";

/** Per ten items: three models, three tools, and four agents that use two of each. */
const TYPES = ["model", "model", "model", "tool", "tool", "tool", "agent", "agent", "agent", "agent"] as const;
const PROVIDER = "cmdb";

/** The items of a first import, equal for equal numbers. Agents name what they use by its key in the source. */
export function* importItems(count: number): Generator<ImportItem> {
  for (let at = 0; at < count; at++) yield importItem(at);
}

function importItem(at: number): ImportItem {
  const assetType = TYPES[at % TYPES.length] as (typeof TYPES)[number];
  const { environment: _mixed, ...body } = sampleBody(at);
  return {
    ...body,
    assetType,
    provider: PROVIDER,
    environment: "production",
    externalRef: { source: PROVIDER, id: `ci-${at}` },
    record: recordOf(assetType, at),
  };
}

function recordOf(assetType: (typeof TYPES)[number], at: number): Record<string, unknown> {
  const tens = at - (at % TYPES.length);
  const named = (...places: number[]) => places.map((place) => ({ externalId: `ci-${tens + place}` }));
  if (assetType === "model")
    return { modelId: `model-${at % 97}`, modelVersion: "2026-10", family: "general", modality: ["text"] };
  if (assetType === "tool")
    return { toolName: `tool_${at}`, toolDescription: "Looks up one customer by number.", origin: "http" };
  return {
    kind: "assistant",
    framework: "langgraph",
    modelIds: named(0, 1 + (at % 2)),
    toolIds: named(3, 4 + (at % 2)),
  };
}
