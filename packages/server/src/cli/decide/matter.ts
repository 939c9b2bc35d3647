import type { Client, ItemOf } from "@reeve/client";

export type Review = ItemOf<"/api/v1/reviews">;

/** What who decides says. */
export interface Said {
  readonly reason?: string;
  readonly evidence?: string;
  readonly until?: string;
}

/** What a decision is made of: what was said, and the record to decide about as it was read. */
interface Deciding<Subject> extends Said {
  readonly client: Client;
  readonly review: Review;
  readonly subject: Subject;
}

type Act<Given> = (given: Given) => Promise<{ readonly data?: unknown }>;

/** A kind of review: the record it is about, and how it is decided. A text says why it cannot be. */
interface Matter<Subject> {
  readonly read: (client: Client, review: Review) => Promise<Subject>;
  /** The version or digest of what is decided about; `undefined` where decisions name none. */
  readonly seen: (subject: Subject) => string | null | undefined;
  readonly approve: Act<Deciding<Subject>> | string;
  readonly reject: Act<Deciding<Subject>> | string;
}

/** What waits in a review, as it was read. */
export interface OpenedMatter {
  readonly subject: unknown;
  readonly seen: string | undefined;
  readonly approve: Act<Said> | string;
  readonly reject: Act<Said> | string;
}

export type OpenMatter = (client: Client, review: Review) => Promise<OpenedMatter>;

/** Declares how a kind of review is read and decided. */
export function matter<Subject>({ read, seen, approve, reject }: Matter<Subject>): OpenMatter {
  return async (client, review) => {
    const subject = await read(client, review);
    const bound = (act: Act<Deciding<Subject>> | string) =>
      typeof act === "string" ? act : (said: Said) => act({ ...said, client, review, subject });
    return { subject, seen: seen(subject) ?? undefined, approve: bound(approve), reject: bound(reject) };
  };
}

export const atId = (review: Review) => ({ params: { path: { id: review.subject.id } } });
export const because = ({ reason }: { readonly reason?: string }) => (reason === undefined ? {} : { reason });
export const versionOf = ({ version }: { readonly version: number }) => String(version);
