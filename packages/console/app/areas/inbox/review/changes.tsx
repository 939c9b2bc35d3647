import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, type components } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { Loaded } from "../../../ui/loaded.js";
import { Person } from "../../../ui/person.js";
import { Time } from "../../../ui/time.js";
import { Difference } from "../../../ui/versions/difference.js";
import type { Review } from "../kinds.js";

type Changes = components["schemas"]["ReviewChanges"];

const words = t.opening.changes;
const BASELINES = ["approval", "decision", "seen"] as const;
type Baseline = (typeof BASELINES)[number];

/** What differs from an earlier moment, as the server tells it. */
export function useChanges({ id }: Review, baseline: Baseline, seen?: string) {
  const query = baseline === "seen" ? { from: seen ?? "" } : { since: baseline };
  return useQuery({
    enabled: baseline !== "seen" || seen !== undefined,
    queryKey: recordKey("review", id, "changes", query),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/reviews/{id}/changes", { params: { path: { id }, query }, signal })).data,
  });
}

/** A field by its name. That of another kind of record than the reviewed one says which. */
export const fieldName = ({ subject }: Review, { type, field }: Changes["items"][number]): string => {
  const name = t.estate.fields[field] ?? t.policies.fields[field] ?? field;
  return type === subject.type ? name : words.ofRecord(type, name);
};

interface ChangesSinceProps {
  readonly review: Review;
  readonly lastSeen: string | undefined;
}

/** What of the subject differs from its last approval, one's last decision, or when one looked last. */
export function ChangesSince({ review, lastSeen }: ChangesSinceProps) {
  const [chosen, setBaseline] = useState<Baseline>();
  const { data: ofApproval } = useChanges(review, "approval");
  const choices = ofApproval?.recurs === false ? (["seen"] as const) : BASELINES;
  const baseline = chosen ?? choices[0];
  const changes = useChanges(review, baseline, lastSeen);
  return (
    <section aria-label={words.title}>
      <h2>{words.title}</h2>
      <Field label={words.since}>
        {(ids) => (
          <select {...ids} value={baseline} onChange={({ target }) => setBaseline(target.value as Baseline)}>
            {choices.map((one) => (
              <option key={one} value={one}>
                {words.baselines[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {baseline === "seen" && lastSeen === undefined ? (
        <p className="muted">{words.never.seen}</p>
      ) : (
        <Loaded query={changes}>
          {(data) => <Differences review={review} changes={data} never={words.never[baseline]} />}
        </Loaded>
      )}
    </section>
  );
}

interface DifferencesProps {
  readonly review: Review;
  readonly changes: Changes;
  /** What is said where there is nothing to compare with. */
  readonly never: string;
}

function Differences({ review, changes, never }: DifferencesProps) {
  const { since, complete, items, hidden, names } = changes;
  if (since === null) return <p className="muted">{complete ? never : words.unknown}</p>;
  const keyOf = ({ id, field }: Changes["items"][number]) => `${id} ${field}`;
  const side = (end: "from" | "to") => Object.fromEntries(items.map((item) => [keyOf(item), item[end]]));
  return (
    <>
      <p className="muted">
        {words.at} <Time at={since.at} />
        {since.by && (
          <>
            {`, ${t.opening.by} `}
            <Person person={since.by} />
          </>
        )}
      </p>
      {items.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <Difference
          label={words.title}
          older={side("from")}
          newer={side("to")}
          fields={Object.fromEntries(items.map((item) => [keyOf(item), fieldName(review, item)]))}
          names={new Map(names.map((one) => [one.id, one]))}
        />
      )}
      {hidden.length > 0 && <p className="muted">{t.opening.hiddenChanges(hidden.join(", "))}</p>}
    </>
  );
}
