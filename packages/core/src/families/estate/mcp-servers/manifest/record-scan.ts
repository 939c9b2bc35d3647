import type { Context } from "#kernel/operation/context.js";
import { withBufferedWrites } from "#kernel/pipeline/batch/with-buffered-writes.js";
import type { McpFailure, McpSnapshot } from "#ports/mcp.js";
import { EventLoopYielder, yieldToEventLoop } from "#store/event-loop.js";
import { assets } from "../../assets/schema.js";
import { mappingLanguage } from "../../tools/mapping/mapping-language.js";
import { circumstancesOf } from "../drift/circumstances.js";
import { compareOffers, type DriftItem } from "../drift/compare.js";
import { applyDriftConsequences } from "../drift/consequences.js";
import { mostSevere } from "../drift/severity.js";
import { clientOf, observerOf } from "../probe/endpoint-key.js";
import type { McpProbeRun } from "../probe/run-probe.js";
import type { McpServer } from "../schema.js";
import { mappingWarnings } from "../warnings/mapping-warnings.js";
import { claimNames } from "../warnings/names.js";
import { offerWarnings, type WarningCode } from "../warnings/warnings.js";
import { MANIFEST_ALGORITHM, manifestDigest, NO_OFFER, toolPins } from "./manifest.js";
import { about, handshakeOf, recordHealth, reportDowngrade, serverOf } from "./record-health.js";
import { type KeptSnapshot, keepSnapshot, readSnapshot } from "./snapshots.js";
import { countTools, type FollowedTools, followTools, hasRoom, toolsOf } from "./tools-of.js";

/** The result of a scan. */
export interface Scanned {
  readonly server: McpServer;
  readonly failure: McpFailure | undefined;
  readonly followed: Pick<FollowedTools, "added" | "changed" | "removed" | "restored">;
}

const NOTHING = { added: [], changed: [], removed: [], restored: [] };

/**
 * Stores the result of a scan as a whole, within the transaction. A failure changes no tool and no approval. An older
 * scan does not replace a newer one. `asked`: requested by somebody, not scheduled.
 */
export async function recordScan(ctx: Context, run: McpProbeRun, asked: boolean): Promise<Scanned> {
  const server = await serverOf(ctx, run);
  if (run.found.kind !== "scan") throw new TypeError("a probe is no scan");
  const { outcome } = run.found;
  if (!outcome.ok) return failed(ctx, server, run, outcome.failure);
  if ((server.manifest.fetchedAt ?? "") > run.startedAt) return { server, failure: undefined, followed: NOTHING };
  const held = await toolsOf(ctx, server);
  const snapshot = await completed(ctx, server, outcome.value);
  if (!hasRoom(held, snapshot.tools)) return failed(ctx, server, run, { code: "too_many", reason: "tools_ever_seen" });

  // Whoever asks is refused by the limit itself.
  if (!asked && !(await isWithinLimit(ctx, snapshot.tools.filter(({ name }) => !held.has(name)).length)))
    return failed(ctx, server, run, { code: "too_many", reason: "limit_exceeded" });

  const pins = await pinsInTurns(snapshot);
  if (pins.size < snapshot.tools.length)
    return failed(ctx, server, run, { code: "protocol_error", reason: "duplicate_name" });
  const digest = manifestDigest(snapshot, pins);
  const followed = await withBufferedWrites(ctx, (many) => followTools(many, server, held, snapshot.tools, pins));
  // An offer may be of megabytes, and each step reads all of it.
  await yieldToEventLoop();
  await keepSnapshot(ctx, server.id, "current", snapshot);
  await yieldToEventLoop();
  const accepted = server.trustMode === "auto_accept";
  if (accepted) await keepSnapshot(ctx, server.id, "approved", snapshot);
  if (followed.added.length > 0 || server.manifest.current === null) await claimNames(ctx, server.id, snapshot);
  const manifest = manifestAfter(server, digest, accepted, run.startedAt);
  const recorded = await recordHealth(ctx, server, run, undefined, {
    ...handshakeOf(server, snapshot),
    manifest,
    toolCounts: countTools(followed.tools),
  });
  await reportDowngrade(ctx, server, snapshot);
  await yieldToEventLoop();
  const isNews = manifest.current !== server.manifest.current;
  if (asked || isNews) await reportScan(ctx, recorded, followed, snapshot);
  if (isNews && manifest.state === "drifted") await reportDrift(ctx, recorded, snapshot);
  return { server: isNews ? await applyDriftConsequences(ctx, recorded) : recorded, failure: undefined, followed };
}

/** The pins of all tools, in turns of the event loop. */
async function pinsInTurns({ tools }: McpSnapshot): Promise<Map<string, string>> {
  const [pins, yielder] = [new Map<string, string>(), new EventLoopYielder()];
  for (const tool of tools) {
    if (yielder.isDue) await yielder.pass();
    for (const [name, pin] of toolPins({ tools: [tool] })) pins.set(name, pin);
  }
  return pins;
}

/**
 * A scan as it is kept. Of a part that could not be read, what was last seen stays: it is unknown, and so neither gone
 * nor changed.
 */
async function completed(ctx: Context, server: McpServer, seen: McpSnapshot): Promise<KeptSnapshot> {
  const askedAs = clientOf(server);
  const unread = new Set((seen.leftOut ?? []).map(({ part }) => part));
  if (unread.size === 0) return { ...seen, askedAs };
  const before = await readSnapshot(ctx, server.id, "current");
  return {
    ...seen,
    askedAs,
    ...(unread.has("prompts") ? { prompts: before?.prompts ?? [] } : {}),
    ...(unread.has("resourceTemplates") ? { resourceTemplates: before?.resourceTemplates ?? [] } : {}),
    ...(unread.has("resources") ? { resources: before?.resources ?? [] } : {}),
  };
}

/** Whether the tenant may have so many more assets. */
async function isWithinLimit(ctx: Context, added: number): Promise<boolean> {
  const allowed = ctx.request.tenant?.limit("assets") ?? null;
  return allowed === null || added === 0 || (await ctx.db.count(assets)).count + added <= allowed;
}

async function failed(ctx: Context, server: McpServer, run: McpProbeRun, failure: McpFailure): Promise<Scanned> {
  const recorded = await recordHealth(ctx, server, run, failure);
  await ctx.emit({ type: "mcp.scanned", ...about(recorded, { error: failure }, true) });
  return { server: recorded, failure, followed: NOTHING };
}

function manifestAfter(
  server: McpServer,
  current: string,
  accepted: boolean,
  fetchedAt: string,
): McpServer["manifest"] {
  const approved = accepted ? current : server.manifest.approved;
  const state = approved === null ? "unapproved" : approved === current ? "in_sync" : "drifted";
  return { alg: MANIFEST_ALGORITHM, current, approved, state, fetchedAt, observer: observerOf(server) };
}

async function reportScan(
  ctx: Context,
  server: McpServer,
  followed: Scanned["followed"],
  snapshot: McpSnapshot,
): Promise<void> {
  const { current, state } = server.manifest;
  const named = Object.entries(followed).filter(([name]) => name in NOTHING);
  const counts = Object.fromEntries(named.map(([name, list]) => [name, list.length]));
  const warned = [
    ...(await offerWarnings(snapshot)),
    ...(await mappingWarnings(ctx.env.use(mappingLanguage), snapshot)),
  ];
  const having = (code: WarningCode) => warned.filter((warning) => warning.code === code).length;
  const facts = {
    ...{ manifestDigest: current, state, tools: counts, instructionPatterns: having("instruction_pattern") },
    ...{ dispatchers: having("dispatcher"), contradictions: having("annotation_contradicts_name") },
    malformedMappings: having("mapping_malformed"),
    leftOut: (snapshot.leftOut ?? []).map(({ part, reason }) => ({ part, reason })),
  };
  const isOdd = facts.instructionPatterns + facts.contradictions + facts.malformedMappings + facts.leftOut.length > 0;
  await ctx.emit({
    type: "mcp.scanned",
    severity: isOdd ? "WARN" : "INFO",
    ...about(server, facts),
  });
}

/** Emits the events of drift: one for the server, and one for each changed tool. */
async function reportDrift(ctx: Context, server: McpServer, snapshot: KeptSnapshot): Promise<void> {
  const approved = await readSnapshot(ctx, server.id, "approved");
  const items = compareOffers(approved ?? NO_OFFER, snapshot);
  const circumstances = circumstancesOf(approved, snapshot).map(({ what }) => what);
  const { current, approved: expected } = server.manifest;
  const brief = items.map(({ kind, name, change, severity }) => ({ kind, name, change, severity }));
  const severity = mostSevere(items.map((item) => item.severity));
  const facts = { manifestDigest: current, approved: expected, severity, items: brief, circumstances };
  await ctx.emit({ type: "mcp.manifest.drifted", severity: "WARN", ...about(server, facts) });
  for (const { changes, ...item } of items.filter(isChangedTool).slice(0, MOST_REPORTED)) {
    const reported = { ...item, changes: changes.slice(0, MOST_FIELDS), changesInAll: changes.length };
    await ctx.emit({ type: "mcp.tool.changed", severity: "WARN", ...about(server, reported) });
  }
}

/**
 * Limits on tools per scan, and on fields per tool, that get details in events. The server decides how many change, and
 * events are permanent.
 */
const MOST_REPORTED = 64;
const MOST_FIELDS = 5;

const isChangedTool = ({ kind, change }: DriftItem) => kind === "tool" && change === "changed";
