import type { StoredEvent } from "#store/event-log.js";

/** Something with an id that is named in an event. */
interface Named {
  readonly id: string;
  readonly name?: unknown;
  readonly username?: unknown;
}

/** What an erasure reads of an event. */
export interface EventFacts {
  readonly sequence: number;
  readonly subject: string;
  readonly subjectType: string;
  readonly data: { readonly reason?: unknown; readonly event?: unknown };
  /** Everything that it names: who did it, and whatever has an id in its data. */
  readonly named: readonly Named[];
}

/** Reads an event whose data is not erased. */
export function factsOf({ sequence, attributes, data }: StoredEvent): EventFacts {
  const { subject, subjecttype, authid } = JSON.parse(attributes) as Record<string, string>;
  const named: Named[] = [{ id: authid ?? "" }];
  const collect = (_key: string, value: unknown) => {
    if (typeof value === "string") named.push({ id: value });
    else if (typeof (value as Partial<Named> | null)?.id === "string") named.push(value as Named);
    return value;
  };
  return {
    sequence,
    subject: subject ?? "",
    subjectType: subjecttype ?? "",
    data: JSON.parse(data ?? "{}", collect) as EventFacts["data"],
    named,
  };
}
