import type { EventOption } from "../events/record-events.js";

export interface TransitionOptions<R> {
  readonly reason?: string | undefined;
  /** Fields that change together with the state. */
  readonly patch?: Partial<R>;
  readonly triggeredBy?: "user" | "policy" | "system" | "connector";
  /** The caller's `metadata` about the transition, for the event. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Ids of people and machines involved in it, beside those that the record shows. */
  readonly involved?: readonly string[];
  /** More data for the event. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Ids whose activity shows the event, beside those that the collection relates the record to. */
  readonly shownUnder?: readonly string[];
}

export interface WriteOptions<R> {
  /** In place of the collection's usual event: one of its own, or `false` for none. */
  readonly event?: EventOption<R>;
}

export interface RemoveOptions<R> extends WriteOptions<R> {
  /** The reason, for the `deleted` event. */
  readonly reason?: string | undefined;
  /** `true`: a retaining collection keeps it no longer either. */
  readonly forGood?: true;
}

export interface UpdateOptions<R> extends WriteOptions<R> {
  /** The reason, for the `updated` event. */
  readonly reason?: string | undefined;
  /** `false`: the record does not show who changed it, because Reeve did. */
  readonly stamp?: false;
  /** `true`: stores a new version even when no field differs. */
  readonly touch?: true;
  /** `true`: copies fields of another record. It has no stamp, and `If-Match` still accepts the version before. */
  readonly copy?: true;
  /** `false`: the caller does not become involved, because somebody or something else made the change. */
  readonly involves?: false;
}
