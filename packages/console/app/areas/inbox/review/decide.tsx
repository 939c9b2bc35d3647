import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { configQuery } from "../../../api/config.js";
import { useMay, useMe } from "../../../api/me.js";
import { isOvertaken } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { MOST_VALUES, valuesIn } from "../../../ui/whole.js";
import type { People, Review } from "../kinds.js";
import type { Answers, OpenedMatter, OpenedWay, Said } from "../matters/matter.js";
import { DecideDialog } from "./decide-dialog.js";
import { useReadAgain } from "./use-review.js";

interface DecideProps {
  readonly review: Review;
  readonly matter: OpenedMatter;
  readonly people: People | undefined;
}

const ORDER: readonly Answers[] = ["approve", "less", "refuse", "ask"];

/** The buttons that decide. Where one may not, the reason stands in their place. */
export function Decide({ review, matter, people }: DecideProps) {
  const [chosen, setChosen] = useState<{ answer: Answers; way: OpenedWay }>();
  const readAgain = useReadAgain();
  const against = useAgainst(review, matter, people);
  const decide = useMutation({
    mutationFn: ({ way, said }: { readonly way: OpenedWay; readonly said: Said }) => way.act(said),
    onSuccess: async () => {
      setChosen(undefined);
      await readAgain();
    },
    onError: async (error) => {
      // The page shows what has become of it, and keeps what was typed.
      if (isOvertaken(error)) await readAgain();
    },
  });
  if (against !== undefined) return <p className="against">{against}</p>;
  const words = t.inbox.acts(review.kind);
  return (
    <>
      <div className="page-actions decide">
        {ORDER.map((answer) => {
          const way = matter.ways[answer];
          if (!way) return null;
          return (
            <button
              key={answer}
              type="button"
              className={answer === "approve" ? "primary" : undefined}
              onClick={() => {
                decide.reset();
                setChosen({ answer, way });
              }}
            >
              {words[answer]}
            </button>
          );
        })}
      </div>
      {chosen && (
        <DecideDialog
          title={`${words[chosen.answer]}: ${review.name}`}
          confirm={words[chosen.answer]}
          tone={chosen.answer === "refuse" ? "danger" : "primary"}
          way={chosen.way}
          isBusy={decide.isPending}
          error={decide.error}
          onDecide={(said) => decide.mutate({ way: chosen.way, said })}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

/** Why one cannot decide here, in words. */
function useAgainst(
  review: Review,
  { bound, hides, ways }: OpenedMatter,
  people: People | undefined,
): string | undefined {
  const me = useMe();
  const may = useMay();
  const { data: config } = useQuery(configQuery);
  if (review.status === "lapsed") return t.inbox.against.lapsed;
  if (Object.keys(ways).length === 0) return t.inbox.against.elsewhere;
  if (!may(review.permission)) return t.inbox.against.permission(review.permission);
  if (valuesIn(bound) > MOST_VALUES) return t.inbox.against.tooMuch;
  if (hides.length > 0 && config?.refuseHidden) return t.inbox.against.hidden;
  const own = people?.deciders.find(({ id }) => id === me.id);
  if (own?.conflict) return t.inbox.against.conflict(own.conflict);
  return undefined;
}
