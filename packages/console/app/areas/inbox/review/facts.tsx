import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Person } from "../../../ui/person.js";
import { Loading } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { MOST_VALUES, valuesIn, Whole } from "../../../ui/whole.js";
import type { People, Review } from "../kinds.js";
import type { OpenedMatter } from "../matters/matter.js";

interface FactsProps {
  readonly review: Review;
  readonly people: People | undefined;
  readonly matter: OpenedMatter | undefined;
}

/** Who asked, since when, until when, and what a decision binds: the whole of it. */
export function Facts({ review, people, matter }: FactsProps) {
  const { createdAt, dueAt, endsAt, subject, requestedBy, assignee } = review;
  const named = (id: string | null, known: People["requestedBy"] | undefined) =>
    known ?? (id === null ? null : { id, name: null });
  return (
    <>
      <section aria-label={t.inbox.facts.title}>
        <h2>{t.inbox.facts.title}</h2>
        <DefinitionList
          items={[
            [t.inbox.facts.requestedBy, <Person key="by" person={named(requestedBy, people?.requestedBy)} />],
            [t.inbox.facts.since, <Time key="since" at={createdAt} />],
            [t.inbox.facts.due, <Time key="due" at={dueAt} absent={t.inbox.noDue} />],
            ...(endsAt ? [[t.inbox.facts.ends, <Time key="ends" at={endsAt} />] as const] : []),
            [t.inbox.facts.assignee, <Person key="to" person={named(assignee, people?.assignee)} />],
            [t.inbox.facts.record, <code key="record">{subject.id}</code>],
            ...(matter?.seen ? [[t.inbox.facts.seen, <Seen key="seen" seen={matter.seen} />] as const] : []),
          ]}
        />
      </section>
      <section aria-label={t.inbox.bound.title}>
        <h2>{t.inbox.bound.title}</h2>
        <p className="muted small">{t.inbox.bound.hint}</p>
        {matter && matter.hides.length > 0 && (
          <div className="against">
            <p>{t.inbox.bound.hides}</p>
            <ul>
              {matter.hides.map((path) => (
                <li key={path}>
                  <Text>{path}</Text>
                </li>
              ))}
            </ul>
          </div>
        )}
        {matter ? <Bound value={matter.bound} /> : <Loading />}
      </section>
    </>
  );
}

/** The version by its number, or the digest as it is. */
function Seen({ seen }: { readonly seen: string }) {
  return /^\d+$/.test(seen) ? t.inbox.facts.version(seen) : <code>{seen}</code>;
}

function Bound({ value }: { readonly value: unknown }) {
  const count = valuesIn(value);
  if (count <= MOST_VALUES) return <Whole value={value} />;
  return (
    <p className="fault" role="alert">
      {t.inbox.bound.tooMuch(count, MOST_VALUES)}
    </p>
  );
}
