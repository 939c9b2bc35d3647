import { ASSET_TYPES } from "#families/estate/index.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { runningNow } from "./count-running.js";
import { may, PATH, shared } from "./operations.js";

const Count = z.int().nonnegative();

const counts = {
  agents: Count.meta({ description: "How many agents run." }),
  active: Count.meta({ description: "How many of their sessions are active." }),
  suspended: Count.meta({ description: "How many of their sessions are suspended." }),
};

const RunningTeam = z
  .object({
    id: z.string().nullable().meta({ description: "Id of the team; `null`: agents of no team." }),
    name: z.string().nullable().meta({ description: "Its name, as its agents give it." }),
    ...counts,
  })
  .meta({ id: "RunningTeam" });

const RunningAsset = z
  .object({
    id: z.string().meta({ description: "Id of the asset." }),
    name: z.string().meta({ description: "Name of the asset." }),
    assetType: z.enum(ASSET_TYPES).meta({ description: "What it is." }),
    version: z.int().meta({ description: "Its version, for `If-Match`." }),
    governanceState: z.string().meta({ description: "What people decided about it." }),
    ...counts,
  })
  .meta({ id: "RunningAsset" });

export const RunningSessions = z
  .object({
    asOf: Time.meta({ description: "The moment it is about." }),
    complete: z.boolean().meta({ description: "Whether all sessions that run are counted." }),
    ...counts,
    teams: z.array(RunningTeam).meta({ description: "By the team of their agents, those with most sessions first." }),
    servers: z.array(RunningAsset).meta({ description: "By the MCP servers that their agents use." }),
    models: z.array(RunningAsset).meta({ description: "By the models that their agents use." }),
  })
  .meta({ id: "RunningSessions" });

export const readRunning = defineOperation({
  ...shared,
  id: "aiSessions.running",
  method: "GET",
  path: `${PATH}/running`,
  summary: "Tell what runs, by team, MCP server and model",
  description:
    "Of the newest 1,000 sessions that are active or suspended. `complete` is `false` when there are more. An agent that uses two models counts with both.",
  access: may("read"),
  extension: true,
  success: { status: 200, schema: RunningSessions },
  handler: (ctx) => runningNow(ctx),
});
