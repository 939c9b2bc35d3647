import { queryOptions } from "@tanstack/react-query";
import { client, type components } from "../../api/client.js";
import { figureKey, listKey } from "../../api/keys.js";

/** How often it is asked for beside the stream of events, in ms: a confirmation that is late makes no event. */
const EVERY = 5_000;

export type Session = components["schemas"]["AiSession"];
export type Halt = components["schemas"]["AiHalt"];

export const runningQuery = queryOptions({
  queryKey: figureKey("running", ["ai_session", "ai_halt", "ai_asset"]),
  queryFn: async () => (await client.GET("/api/v1/ai/sessions/running")).data,
  refetchInterval: EVERY,
});

export const spendQuery = queryOptions({
  queryKey: figureKey("spend", ["ai_session"]),
  queryFn: async () => (await client.GET("/api/v1/ai/sessions/spend")).data,
  refetchInterval: EVERY,
});

const sessionsBy = (query: {
  status: Session["status"][];
  unconfirmed?: ("pending" | "partial" | "unconfirmed" | "failed")[];
}) =>
  queryOptions({
    queryKey: listKey("ai_session", query),
    queryFn: async () => (await client.GET("/api/v1/ai/sessions", { params: { query: { ...query, size: 100 } } })).data,
    refetchInterval: EVERY,
  });

/** Sessions that run. */
export const activeQuery = sessionsBy({ status: ["active"] });

/** Sessions that were stopped for a while, or are just being ended. */
export const stoppedQuery = sessionsBy({ status: ["suspended", "terminating"] });

/** Sessions that have ended without the word of everybody who runs them. */
export const unconfirmedQuery = sessionsBy({
  status: ["terminated"],
  unconfirmed: ["pending", "partial", "unconfirmed", "failed"],
});

export const haltsQuery = queryOptions({
  queryKey: listKey("ai_halt", { status: "active" }),
  queryFn: async () =>
    (await client.GET("/api/v1/ai/halts", { params: { query: { status: ["active"], size: 100 } } })).data,
  refetchInterval: EVERY,
});
