import { latestPosture, PostureGrade } from "#families/compliance/index.js";
import { agents, assets, identities, mcpServers, models, tools } from "#families/estate/index.js";
import { baselineCount, countFindingsBy, openBySeverity } from "#families/findings/index.js";
import { decisionApprovals } from "#families/governance/index.js";
import { sessions } from "#families/sessions/index.js";
import { Numbers, numbersOf, sumOf } from "#kernel/operation/numbers.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Collection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import type { StoredRecord } from "#store/collection.js";
import { recent } from "./recent-blocks.js";

/** One part of the overview. It reads counters and bounded lists, never all records. */
export interface Block<S extends z.ZodType = z.ZodType> {
  /** The permission without which the block is hidden. */
  readonly permission: string;
  readonly schema: S;
  readonly read: (ctx: ReadContext) => Promise<z.output<S>>;
}

const ByStatus = z.object({
  total: z.int().min(0).meta({ description: "All of them." }),
  byStatus: Numbers.meta({ description: "Numbers of records by `status`." }),
});

/** A block that counts the records of a collection by status. */
function byStatus<R extends StoredRecord>(permission: string, collection: Collection<R>): Block<typeof ByStatus> {
  return {
    permission,
    schema: ByStatus,
    async read(ctx) {
      const numbers = await numbersOf(ctx, collection, "status");
      return { total: sumOf(numbers), byStatus: numbers };
    },
  };
}

const AssetNumbers = z.object({
  total: z.int().min(0).meta({ description: "All of them." }),
  byType: Numbers.meta({ description: "Number of assets by `assetType`." }),
  byLifecycle: Numbers.meta({ description: "Numbers of records by `status`." }),
  byGovernanceState: Numbers.meta({ description: "Number of assets by `governanceState`." }),
  byEnvironment: Numbers.meta({ description: "Number of assets by `environment`." }),
});

const ofAssets: Block<typeof AssetNumbers> = {
  permission: "ai-asset:read",
  schema: AssetNumbers,
  async read(ctx) {
    const [byType, byLifecycle, byGovernanceState, byEnvironment] = await Promise.all([
      numbersOf(ctx, assets, "assetType"),
      numbersOf(ctx, assets, "status"),
      numbersOf(ctx, assets, "governanceState"),
      numbersOf(ctx, assets, "environment"),
    ]);
    return { total: sumOf(byType), byType, byLifecycle, byGovernanceState, byEnvironment };
  },
};

const McpNumbers = ByStatus.extend({
  byConnection: Numbers.meta({ description: "How they answer." }),
  byManifest: Numbers.meta({ description: "Whether what they offer is what was approved." }),
});
const servers = byStatus("mcp-server:read", mcpServers);

const ofMcpServers: Block<typeof McpNumbers> = {
  permission: servers.permission,
  schema: McpNumbers,
  async read(ctx) {
    const [all, byConnection, byManifest] = await Promise.all([
      servers.read(ctx),
      numbersOf(ctx, mcpServers, "connection"),
      numbersOf(ctx, mcpServers, "manifestState"),
    ]);
    return { ...all, byConnection, byManifest };
  },
};

const SessionNumbers = ByStatus.extend({
  unconfirmed: Numbers.meta({ description: "Terminated ones that not all enforcement points have confirmed." }),
});
const running = byStatus("ai-session:read", sessions);

const ofSessions: Block<typeof SessionNumbers> = {
  permission: running.permission,
  schema: SessionNumbers,
  async read(ctx) {
    const [all, unconfirmed] = await Promise.all([running.read(ctx), numbersOf(ctx, sessions, "unconfirmed")]);
    return { ...all, unconfirmed };
  },
};

const FindingNumbers = ByStatus.extend({
  openBySeverity: Numbers.meta({ description: "Of those that are not resolved, closed, dismissed or exempted." }),
  overdue: z.int().min(0).meta({ description: "Open beyond their due date." }),
  baseline: z.int().min(0).meta({ description: "Brought along by imported assets, and undecided since." }),
});

const ofFindings: Block<typeof FindingNumbers> = {
  permission: "ai-finding:read",
  schema: FindingNumbers,
  async read(ctx) {
    const [counts, late, open, baseline] = await Promise.all([
      countFindingsBy(ctx.db, "status", ctx.now),
      countFindingsBy(ctx.db, "slaBreached", ctx.now),
      openBySeverity(ctx),
      baselineCount(ctx),
    ]);
    const byStatus = plain(counts);
    return { total: sumOf(byStatus), byStatus, openBySeverity: open, overdue: late.get("true") ?? 0, baseline };
  },
};

const plain = (numbers: ReadonlyMap<string, number>): Numbers =>
  Object.fromEntries([...numbers].filter(([, count]) => count > 0).sort());

const PostureNumbers = z.object({
  posture: z
    .object({
      asOf: Time.meta({ description: "The moment it is about." }),
      inputsDigest: z.string().meta({ description: "SHA-256 of all inputs." }),
      overall: PostureGrade.meta({ description: "Over all frameworks." }),
      frameworks: z
        .array(
          z.object({ framework: z.string().meta({ description: "Key of the framework." }), ...PostureGrade.shape }),
        )
        .meta({ description: "One entry for each framework." }),
    })
    .nullable()
    .meta({ description: "As it was last kept, once a day; `null` until something was assessed." }),
});

const ofCompliance: Block<typeof PostureNumbers> = {
  permission: "ai-compliance:read",
  schema: PostureNumbers,
  async read(ctx) {
    const kept = await latestPosture(ctx);
    if (!kept) return { posture: null };
    const { createdAt: asOf, inputsDigest, overall, frameworks } = kept;
    const each = Object.entries(frameworks).sort(([one], [other]) => (one < other ? -1 : 1));
    return {
      posture: { asOf, inputsDigest, overall, frameworks: each.map(([framework, grade]) => ({ framework, ...grade })) },
    };
  },
};

/** The blocks of the overview by property. A new one is one line here. */
export const blocks = {
  assets: ofAssets,
  agents: byStatus("ai-agent:read", agents),
  tools: byStatus("ai-tool:read", tools),
  identities: byStatus("ai-identity:read", identities),
  models: byStatus("ai-model:read", models),
  mcpServers: ofMcpServers,
  sessions: ofSessions,
  findings: ofFindings,
  approvals: byStatus("ai-approval:read", decisionApprovals),
  compliance: ofCompliance,
  activity: recent,
} as const;
