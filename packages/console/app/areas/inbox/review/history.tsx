import { useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { namedOf, useNames } from "../../../api/names.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Person } from "../../../ui/person.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Time } from "../../../ui/time.js";
import { eventInWords } from "../../activity/event-in-words.js";
import type { Review } from "../kinds.js";

interface HistoryProps {
  readonly review: Review;
  /** When one looked at it before. */
  readonly lastSeen: string | undefined;
}

/** What happened to the record, newest first; what is new since one looked last is marked. */
export function History({ review, lastSeen }: HistoryProps) {
  const may = useMay();
  if (!may("ai-activity:read")) return null;
  return <HistoryOf subjectId={review.subject.id} lastSeen={lastSeen} />;
}

interface HistoryOfProps {
  readonly subjectId: string;
  readonly lastSeen: string | undefined;
}

function HistoryOf({ subjectId, lastSeen }: HistoryOfProps) {
  const events = useQuery({
    queryKey: recordKey("activity", subjectId),
    queryFn: async ({ signal }) => {
      const params = { path: { subjectId }, query: { size: 25 } };
      return (await client.GET("/api/v1/ai/activity/{subjectId}", { params, signal })).data;
    },
  });
  const names = useNames(events.data?.items.map(({ authid }) => authid));
  const isNew = (time: string) => lastSeen !== undefined && time > lastSeen;
  return (
    <section aria-label={t.inbox.history.title}>
      <h2>{t.inbox.history.title}</h2>
      <Loaded query={events}>
        {({ items, totalItems, nextCursor }) => (
          <>
            <ol className="timeline">
              {items.map(({ id, time, type, fromstate, tostate, authid }) => (
                <li key={id}>
                  <Time at={time} /> {eventInWords(type)}
                  {tostate && ` (${fromstate ?? ""} → ${tostate})`} {t.activity.by}{" "}
                  <Person person={namedOf(names, authid)} />{" "}
                  {isNew(time) && <StatusBadge tone="busy">{t.inbox.history.new}</StatusBadge>}
                </li>
              ))}
            </ol>
            {nextCursor !== null && <p className="muted">{t.inbox.history.more(totalItems)}</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}
