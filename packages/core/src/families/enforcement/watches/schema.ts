import { Label } from "#families/estate/index.js";
import { DECISIONS, REASON_CODES } from "#families/governance/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { RelatedParty } from "#kernel/records/involved.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { watchStatus } from "./machine.js";

/** A time in which decisions about calls of clients are recorded and not enforced. */
export const Watch = z
  .object({
    ...recordShape(z.enum(statesOf(watchStatus))),
    team: Label.nullable().meta({ description: "The team whose installations it is about; `null`: all of them." }),
    reason: z.string().meta({ description: "Why it was asked for." }),
    expiresAt: Time.meta({ description: "When it ends by itself." }),
    requestedBy: z.string().meta({ description: "Id of who asked for it." }),
    decidedBy: z.string().nullable().meta({ description: "Id of who approved or rejected it." }),
    decidedAt: Time.nullable().meta({ description: "When that was decided." }),
    relatedParty: RelatedParty,
    enforcedBy: z.string().nullable().meta({ description: "Id of who turned it to enforcing." }),
    enforcedAt: Time.nullable().meta({ description: "When that was." }),
    seenDigest: z.string().nullable().meta({ description: "Digest of the summary that was seen then." }),
  })
  .meta({ id: "EnforcementWatch" });
export type Watch = z.output<typeof Watch>;

const isOpen = ({ status }: Watch) => status === "requested" || status === "watching";

/** The key of the open watch of a team, or of the whole tenant. */
export const openKeyOf = (team: string | null): string => (team === null ? "tenant" : `team ${team}`);

/** Watches in all states. At most one of a team, and one of the whole tenant, is open. */
export const watches = defineCollection<Watch>({
  name: "enforcement_watches",
  prefix: "ewt",
  schema: Watch,
  resource: { type: "enforcement_watch", event: "enforcement_watch", path: "/api/v1/ai/watches" },
  machines: { status: watchStatus },
  fields: {
    status: { type: "text" },
    team: { type: "text" },
    openKey: { type: "text", compare: "exact", of: (watch) => (isOpen(watch) ? openKeyOf(watch.team) : null) },
    endsAt: { type: "time", of: (watch) => (isOpen(watch) ? watch.expiresAt : null) },
  },
  unique: { open: ["openKey"] },
  indexes: [{ where: ["status"] }, { where: ["team"] }, { where: [], by: "endsAt", partial: true }],
  filters: {
    status: { values: statesOf(watchStatus), changesAt: "endsAt" },
    team: { description: "The team whose installations it is about." },
  },
  counted: ["status"],
  timeTransition: {
    by: "endsAt",
    machine: watchStatus,
    event: ({ status }) => (status === "watching" ? "expire" : "lapse"),
    reason: "Its time is over.",
  },
});

const Rule = z.object({
  code: z.enum(REASON_CODES).meta({ description: "What kind of reason." }),
  policyKey: z.string().nullable().meta({ description: "`null` where no policy decided." }),
  ruleKey: z.string().nullable().meta({ description: "Key of the rule." }),
});

/** Calls of one tool that would have been answered alike, for the same reasons. */
export const WatchedCall = z
  .object({
    id: z.string().meta({ description: "The unique id of the record." }),
    version: z.int().min(1).meta({ description: "Rises with every change." }),
    createdAt: Time.meta({ description: "When the first of them was made." }),
    watchId: z.string().meta({ description: "The watch in which they were made." }),
    kindHash: z.string().meta({ description: "Hash of tool, answer and reasons." }),
    tool: z.string().nullable().meta({ description: "The tool as the client names it; `null`: one of many others." }),
    status: z.enum(DECISIONS).meta({ description: "What would have been answered." }),
    reasons: z.array(Rule).meta({ description: "The reasons and rules of the answer." }),
    calls: z.int().min(1).meta({ description: "How many calls." }),
    lastAt: Time.meta({ description: "When the last of them was made." }),
    agentIds: z.array(z.string()).meta({ description: "Assets of the agents that made them, the first of them." }),
    teams: z.array(z.string()).meta({ description: "Teams whose installations made them, the first of them." }),
  })
  .meta({ id: "WatchedCall" });
export type WatchedCall = z.output<typeof WatchedCall>;

/** Counters of calls that were let pass, by tool and rules. */
export const watchedCalls = defineCollection<WatchedCall>({
  name: "watched_calls",
  prefix: "wac",
  schema: WatchedCall,
  fields: {
    watchId: { type: "text", compare: "exact" },
    kindHash: { type: "text", compare: "exact" },
    calls: { type: "integer" },
  },
  unique: { kind: ["watchId", "kindHash"] },
  indexes: [{ where: ["watchId"] }, { where: ["watchId"], by: "calls" }, { where: [], by: "calls" }],
  orders: { calls: "calls" },
});
