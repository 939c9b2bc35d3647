import { type AccessIdentity, accessIdentities } from "#families/access/index.js";
import { batched } from "#kernel/async/batched.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { AccessRequest, activeStage, type RequestStage } from "../schema.js";
import { allowsInWords, timeInWords, waitsInWords } from "./words.js";

const Waiting = z.object({
  why: z.string().meta({ description: "The reason in words for people." }),
  stage: z.string().nullable().meta({ description: "The round that is asked." }),
  people: z
    .array(
      z.object({
        userId: z.string().meta({ description: "Id of the user." }),
        name: z.string().meta({ description: "The name that people are shown." }),
        why: z.string().meta({ description: "Why they are asked." }),
      }),
    )
    .meta({ description: "Who is asked and has not approved it." }),
  since: Time.nullable().meta({ description: "The time since which it holds." }),
  dueAt: Time.nullable().meta({ description: "The time by which it is to be decided." }),
});

/** A request with what it waits for, and what it would permit in words, as it is served. */
export const ShownRequest = AccessRequest.extend({
  waitingFor: Waiting.nullable().meta({ description: "What it waits for; `null` when for nothing." }),
  wouldAllow: z.array(z.string()).meta({ description: "What it would let the asset do, in words; for each item." }),
}).meta({ id: "AccessRequest" });
export type ShownRequest = z.output<typeof ShownRequest>;

/** Shows requests, with one query for the identities of all that are asked for at once. */
export function requestView(ctx: ReadContext): (one: AccessRequest) => Promise<ShownRequest> {
  const identities = batched<string, AccessIdentity>(async (ids) => {
    const rows = await ctx.db.getMany(accessIdentities, ids);
    return new Map(rows.map(({ id, value }) => [id, value]));
  });
  return async (request) => {
    const principal = (await identities(request.identityId))?.principal;
    const who = principal?.displayName ?? principal?.externalId ?? request.identityId;
    const time = timeInWords(request);
    const why = waitsInWords(request);
    return {
      ...request,
      waitingFor: why === null ? null : { why, ...asked(request, activeStage(request)) },
      wouldAllow: request.items.map((item) => allowsInWords(item, who, time)),
    };
  };
}

function asked({ stages, votes }: AccessRequest, stage: RequestStage | undefined) {
  if (!stage) return { stage: null, people: [], since: null, dueAt: null };
  const at = stages.indexOf(stage);
  const done = votes.filter((vote) => vote.stage === at && vote.decision === "approve" && !vote.stale);
  const people = stage.candidates.filter(({ userId }) => !done.some((vote) => vote.by === userId));
  return { stage: stage.name, people, since: stage.startedAt, dueAt: stage.dueAt };
}
