import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { Failed } from "../../../ui/states.js";
import type { People, Review } from "../kinds.js";
import { useReadAgain } from "./use-review.js";

interface HandOnProps {
  readonly review: Review;
  readonly people: People | undefined;
}

/** Gives the review to somebody who may decide it. Absent for who may not, and where it waits for one person by name. */
export function HandOn({ review, people }: HandOnProps) {
  const may = useMay();
  const others = people?.deciders.filter(({ id, mayDecide }) => mayDecide && id !== review.assignee) ?? [];
  const isPersonal = people?.deciders.length === 1 && people.deciders[0]?.id === review.assignee;
  if (!may("review:assign") || isPersonal || others.length === 0) return null;
  return <Choose review={review} others={others} />;
}

function Choose({ review, others }: { readonly review: Review; readonly others: People["deciders"] }) {
  const [assignee, setAssignee] = useState("");
  const readAgain = useReadAgain();
  const assign = useMutation({
    mutationFn: () =>
      client.PATCH("/api/v1/reviews/{id}", {
        params: { path: { id: review.id } },
        ifMatch: review,
        body: { assignee },
      }),
    onSuccess: readAgain,
    onError: readAgain,
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (assignee !== "" && !assign.isPending) assign.mutate();
  };
  return (
    <section aria-label={t.inbox.handOn.title}>
      <h2>{t.inbox.handOn.title}</h2>
      <form onSubmit={send} className="stack">
        <Field label={t.inbox.handOn.to}>
          {(ids) => (
            <select {...ids} value={assignee} onChange={({ target }) => setAssignee(target.value)}>
              <option value="">{t.inbox.handOn.choose}</option>
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name ?? id}
                </option>
              ))}
            </select>
          )}
        </Field>
        {assign.isError && <Failed error={assign.error} />}
        <div>
          <button type="submit" aria-disabled={assignee === ""}>
            {t.inbox.handOn.send}
          </button>
        </div>
      </form>
    </section>
  );
}
