import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay, useMe } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Person } from "../../../ui/person.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { Whole } from "../../../ui/whole.js";
import type { Review } from "../kinds.js";
import { usePeople } from "./use-review.js";

/** After the decision, one's own or that of somebody quicker: who, what, when, and the state that came of it. */
export function Decided({ review }: { readonly review: Review }) {
  const may = useMay();
  return (
    <section className="empty" role="status">
      <p>
        <Text>{review.name}</Text>
      </p>
      {may("ai-activity:read") ? <Outcome review={review} /> : <p>{t.inbox.decided.unknown}</p>}
      <Link to="/inbox">{t.inbox.back}</Link>
    </section>
  );
}

function Outcome({ review }: { readonly review: Review }) {
  const me = useMe();
  const { data: people } = usePeople(review);
  const last = useQuery({
    queryKey: recordKey("activity", review.subject.id, "last"),
    queryFn: async ({ signal }) => {
      const params = { path: { subjectId: review.subject.id }, query: { size: 25 } };
      const { data } = await client.GET("/api/v1/ai/activity/{subjectId}", { params, signal });
      const decided = data.items.filter(({ time }) => time >= review.createdAt);
      return (
        decided.find(({ tostate, fromstate }) => tostate !== undefined && tostate !== fromstate) ?? decided[0] ?? null
      );
    },
  });
  const named = (id: string) => {
    if (id === me.id) return { id, name: t.person.you };
    return people?.deciders.find((one) => one.id === id) ?? { id, name: null };
  };
  return (
    <Loaded query={last}>
      {(event) =>
        event === null ? (
          <p>{t.inbox.decided.unknown}</p>
        ) : (
          <>
            <p>
              <Person person={named(event.authid)} />
              {": "}
              <strong>{event.tostate ? t.inbox.decided.state(event.tostate) : t.inbox.decided.changed}</strong>{" "}
              <Time at={event.time} />
            </p>
            <details>
              <summary>{t.inbox.decided.event}</summary>
              <Whole value={event.data} />
            </details>
          </>
        )
      }
    </Loaded>
  );
}
