import { type Asset, assets, type McpServer, type Survey, surveyOf } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";

/** How long a set may be used before it is asked for again. What ends within it is not published. */
export const GOOD_FOR = minutesMs(5);

/** MCP servers and other assets as they are judged at a moment. */
export interface JudgedServers {
  readonly assets: ReadonlyMap<string, Asset>;
  readonly survey: Survey;
  /** Codes of why an asset may not be used now, by itself and by what it depends on. */
  denialsOf(assetId: string): readonly string[];
  /** Whether an asset is approved until the answer is asked for again. */
  isApproved(asset: Asset): boolean;
  /** Codes of why a server may not be used now. Without one it is approved and intact. */
  reasonsOf(server: McpServer): readonly string[];
}

/** Judges MCP servers, and assets beside them, in a fixed number of queries. */
export async function judgeServers(
  ctx: ReadContext,
  servers: readonly McpServer[],
  beside: readonly string[] = [],
): Promise<JudgedServers> {
  const rows = await ctx.db.getMany(assets, [...beside, ...servers.map(({ assetId }) => assetId)]);
  const all = new Map(rows.map((row) => [row.id, ctx.derived(assets, row)]));
  const survey = await surveyOf(ctx, [...all.values()]);
  const soon = timestamp(ctx.request.nowMs + GOOD_FOR);
  const denialsOf = (id: string) => {
    const decided = survey.effective.get(id);
    if (!decided) return ["not_found"];
    return decided.decision === "deny" ? decided.reasons : [];
  };
  const isApproved = ({ governanceState, approvedUntil }: Asset) => {
    const isDecided = governanceState === "approved" || governanceState === "conditionally_approved";
    return isDecided && (approvedUntil === null || approvedUntil > soon);
  };
  const reasonsOf = ({ assetId, manifest }: McpServer) => {
    const asset = all.get(assetId);
    return [
      ...denialsOf(assetId),
      ...(asset && isApproved(asset) ? [] : ["not_approved"]),
      ...(manifest.state === "drifted" ? ["drifted"] : []),
    ];
  };
  return { assets: all, survey, denialsOf, isApproved, reasonsOf };
}
