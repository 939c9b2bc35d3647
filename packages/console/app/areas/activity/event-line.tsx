import type { components } from "../../api/client.js";
import { type Named, namedOf } from "../../api/names.js";
import { t } from "../../texts/index.js";
import { Person } from "../../ui/person.js";
import { StatusBadge, type Tone } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { eventInWords } from "./event-in-words.js";

type Event = components["schemas"]["Event"];

const TONES: Readonly<Record<Event["outcome"], Tone>> = { success: "neutral", denied: "warning", failure: "bad" };

interface EventLineProps {
  readonly event: Event;
  /** Who and what the ids of the list stand for. */
  readonly names: ReadonlyMap<string, Named>;
  /** Shows what else happened to the subject. */
  readonly onSubject: (subject: string) => void;
}

/** An event: when, what, to what, by whom; the whole of it, with its place in the chain, on demand. */
export function EventLine({ event, names, onSubject }: EventLineProps) {
  const { type, subject, subjecttype, authid, outcome, sequence, time, eventhash } = event;
  return (
    <li className="event">
      <Time at={time} /> <strong>{eventInWords(type)}</strong>
      {outcome !== "success" && <StatusBadge tone={TONES[outcome]}>{t.activity.choices[outcome]}</StatusBadge>}
      <div>
        <button type="button" className="quiet" onClick={() => onSubject(subject)}>
          <Text>{nameOf(event) ?? names.get(subject)?.name ?? `${subjecttype} ${subject}`}</Text>
        </button>{" "}
        <span className="muted">
          {t.activity.by} <Person person={namedOf(names, authid)} />
        </span>
      </div>
      <details>
        <summary>{t.activity.whole(Number(sequence))}</summary>
        <p className="muted small">{t.activity.hash(eventhash)}</p>
        <pre className="data">
          <Text>{JSON.stringify(event.data, null, 2)}</Text>
        </pre>
      </details>
    </li>
  );
}

/** The name of the record, where the event tells it. */
function nameOf({ data }: Event): string | undefined {
  const { name } = Object((data as { readonly entity?: unknown }).entity) as { readonly name?: unknown };
  return typeof name === "string" ? name : undefined;
}
