import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Time } from "../../../ui/time.js";
import type { Review } from "../kinds.js";

/** What happened to the record, newest first; what is new since one looked last is marked. */
export function History({ review }: { readonly review: Review }) {
  const may = useMay();
  const lastSeen = useLastSeen(review.id);
  if (!may("ai-activity:read")) return null;
  return <HistoryOf subjectId={review.subject.id} lastSeen={lastSeen} />;
}

/** When one looked at this review before, in this browser. Only the moment is kept. */
function useLastSeen(id: string): string | undefined {
  const key = `seen ${id}`;
  const [before] = useState(() => localStorage.getItem(key) ?? undefined);
  useEffect(() => localStorage.setItem(key, new Date().toISOString()), [key]);
  return before;
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
  const isNew = (time: string) => lastSeen !== undefined && time > lastSeen;
  return (
    <section aria-label={t.inbox.history.title}>
      <h2>{t.inbox.history.title}</h2>
      <Loaded query={events}>
        {({ items, totalItems, nextCursor }) => (
          <>
            <ol className="timeline">
              {items.map(({ id, time, type, fromstate, tostate }) => (
                <li key={id}>
                  <Time at={time} /> {nameOf(type)}
                  {tostate && ` (${fromstate ?? ""} → ${tostate})`}{" "}
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

/** `reeve.asset.created.v1` is `asset created`. */
const nameOf = (type: string) => type.split(".").slice(1, -1).join(" ").replaceAll("_", " ");
