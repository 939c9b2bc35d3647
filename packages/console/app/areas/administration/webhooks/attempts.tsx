import { useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { given, only } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { attemptsSearchOf } from "../search.js";
import type { Webhook, WebhookAttempt } from "../terms.js";
import { answerOf } from "./answer.js";
import { deliveryQuery } from "./delivery-query.js";

const words = t.webhooks.attempts;

const COLUMNS: readonly Column<WebhookAttempt>[] = [
  { key: "at", head: words.columns.at, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { key: "type", head: words.columns.type, cell: ({ type }) => <Text>{type}</Text> },
  { key: "sequence", head: words.columns.sequence, align: "end", cell: ({ sequence }) => t.number(sequence) },
  {
    key: "outcome",
    head: words.columns.outcome,
    cell: ({ outcome }) => (
      <StatusBadge tone={outcome === "delivered" ? "good" : "bad"}>{words.outcomes[outcome]}</StatusBadge>
    ),
  },
  { key: "answer", head: words.columns.answer, cell: (attempt) => <Text>{answerOf(attempt)}</Text> },
  { key: "took", head: words.columns.took, align: "end", cell: ({ durationMs }) => words.took(durationMs) },
];

/** What was tried, newest first. Each event can be sent again alone. */
export function Attempts({ webhook, mayChange }: { readonly webhook: Webhook; readonly mayChange: boolean }) {
  const { id } = webhook;
  const filters = useListSearch(attemptsSearchOf);
  const { page, outcome } = filters.search;
  const { data: delivery } = useQuery(deliveryQuery(id));
  const query = given({ page, outcome: only(outcome) });
  // Attempts leave no event: the list is read again when the delivery has moved on.
  const { position, failures, lastDeliveredAt } = delivery ?? {};
  const list = useList(
    "webhook",
    query,
    (wanted, signal) =>
      client.GET("/api/v1/webhooks/{id}/attempts", { params: { path: { id }, query: wanted }, signal }),
    recordKey("webhook", id, "attempts", { ...query, position, failures, lastDeliveredAt }),
  );
  const again: Column<WebhookAttempt> = {
    key: "again",
    head: words.columns.again,
    cell: ({ eventId }) => (
      <ReasonedAct
        label={words.again}
        name={words.againOne(eventId)}
        hint={words.againHint}
        stale={["webhook"]}
        act={(why) =>
          client.POST("/api/v1/webhooks/{id}/replay", {
            params: { path: { id } },
            body: { eventId, ...why },
          })
        }
      />
    ),
  };
  return (
    <section aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="muted">{words.kept}</p>
      <ListView
        filters={filters}
        facets={[filters.facet("outcome", words.columns.outcome, words.outcomes)]}
        list={list}
        caption={words.title}
        columns={mayChange ? [...COLUMNS, again] : COLUMNS}
        empty={words.empty}
      />
    </section>
  );
}
