import type { Client } from "@reeve/client";
import { client } from "../../../api/client.js";
import type { opening } from "../../../texts/en/opening.js";
import type { Review } from "../kinds.js";

/** Somebody or something that a record names by id, and as what. */
export interface Mention {
  readonly as: keyof (typeof opening)["mentions"];
  readonly id: string;
}

/** What a decision takes beside its reason. */
export interface Said {
  readonly reason?: string | undefined;
  /** What shows that a condition is met. */
  readonly evidence?: string | undefined;
  /** Until when, as a date. */
  readonly until?: string | undefined;
  /** Conditions of a conditional approval, one a line. */
  readonly conditions?: readonly string[] | undefined;
}
export type Needed = "reason" | "evidence" | "until" | "conditions";

export type Answers = "approve" | "less" | "refuse" | "ask";

/** One way to decide. */
export interface Way<Subject> {
  readonly needs?: readonly Needed[];
  readonly takes?: readonly Needed[];
  readonly act: (given: Said & Decided<Subject>) => Promise<unknown>;
}

interface Decided<Subject> {
  readonly client: Client;
  readonly review: Review;
  readonly subject: Subject;
}

/** How a kind of review is read, shown and decided. A way that is absent is not there for this kind. */
export interface Matter<Subject> {
  readonly read: (client: Client, review: Review) => Promise<Subject>;
  /** What it is about, in plain sentences. */
  readonly says?: (subject: Subject) => readonly string[];
  /** Whom and what it names by id. Ids that are absent are left out. */
  readonly mentions?: (subject: Subject) => readonly (readonly [as: Mention["as"], id: string | null | undefined])[];
  /** Part of the record that a decision binds; the whole record if absent. */
  readonly bound?: (subject: Subject) => unknown;
  /** Names of values that a decision binds and that the record does not show. */
  readonly hides?: (subject: Subject) => readonly string[];
  /** Version or digest that a decision names. */
  readonly seen: (subject: Subject) => string | null | undefined;
  readonly ways: { readonly [Answer in Answers]?: Way<Subject> };
}

/** A review with what it is about, as it was read. */
export interface OpenedMatter {
  readonly says: readonly string[];
  readonly mentions: readonly Mention[];
  readonly bound: unknown;
  readonly hides: readonly string[];
  readonly seen: string | undefined;
  readonly ways: { readonly [Answer in Answers]?: OpenedWay };
}

export interface OpenedWay {
  readonly needs: readonly Needed[];
  readonly takes: readonly Needed[];
  /** Decides, or hands the request to another client, which keeps it. */
  readonly act: (said: Said, through?: Client) => Promise<unknown>;
}

export type OpenMatter = (review: Review) => Promise<OpenedMatter>;

/** Declares a kind. The decision is bound to the record as it was read here. */
export function matter<Subject>({ read, says, mentions, bound, hides, seen, ways }: Matter<Subject>): OpenMatter {
  return async (review) => {
    const subject = await read(client, review);
    const opened = Object.entries(ways).map(([name, { needs = [], takes = [], act }]) => [
      name,
      { needs, takes, act: (said: Said, through = client) => act({ ...said, client: through, review, subject }) },
    ]);
    return {
      says: says?.(subject) ?? [],
      mentions: (mentions?.(subject) ?? []).flatMap(([as, id]) => (id ? [{ as, id }] : [])),
      bound: bound ? bound(subject) : subject,
      hides: hides?.(subject) ?? [],
      seen: seen(subject) ?? undefined,
      ways: Object.fromEntries(opened),
    };
  };
}

export const atId = (review: Review) => ({ params: { path: { id: review.subject.id } } });
export const because = ({ reason }: Said) => (reason ? { reason } : {});
export const versionOf = ({ version }: { readonly version: number }) => String(version);
/** The end of a day as a form gives it. */
export const endOf = (until: string | undefined) => (until ? new Date(`${until}T23:59:59Z`).toISOString() : undefined);

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
/** A moment within a sentence. */
export const momentIn = (at: string) => moment.format(new Date(at));
