import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { fieldFault } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { Person } from "../../../ui/person.js";
import { Failed } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import { Time } from "../../../ui/time.js";
import type { People, Review } from "../kinds.js";
import { useReadAgain } from "./use-review.js";

interface CommentsProps {
  readonly review: Review;
  readonly people: People | undefined;
}

/** What was said about it, and a field to ask back. */
export function Comments({ review, people }: CommentsProps) {
  const may = useMay();
  const named = (id: string) => people?.commenters.find((one) => one.id === id) ?? { id, name: null };
  return (
    <section aria-label={t.inbox.comments.title}>
      <h2>{t.inbox.comments.title}</h2>
      {review.comments.length === 0 && <p className="muted">{t.inbox.comments.none}</p>}
      <ul className="plain">
        {review.comments.map(({ by, at, text }) => (
          <li key={`${by} ${at}`}>
            <p className="small muted">
              <Person person={named(by)} /> <Time at={at} />
            </p>
            <p className="said">
              <Text>{text}</Text>
            </p>
          </li>
        ))}
      </ul>
      {may("review:comment") && <Say review={review} />}
    </section>
  );
}

function Say({ review: { id } }: { readonly review: Review }) {
  const [text, setText] = useState("");
  const readAgain = useReadAgain();
  const say = useMutation({
    mutationFn: () => client.POST("/api/v1/reviews/{id}/comments", { params: { path: { id } }, body: { text } }),
    onSuccess: async () => {
      setText("");
      await readAgain();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!say.isPending && text.trim() !== "") say.mutate();
  };
  return (
    <form onSubmit={send} className="stack">
      <TextField
        label={t.inbox.comments.field}
        hint={t.inbox.comments.hint}
        fault={fieldFault(say.error, "/text")}
        rows={3}
        maxLength={2_000}
        value={text}
        onChange={setText}
      />
      {say.isError && <Failed error={say.error} />}
      <div>
        <button type="submit" aria-disabled={text.trim() === "" || say.isPending}>
          {t.inbox.comments.send}
        </button>
      </div>
    </form>
  );
}
