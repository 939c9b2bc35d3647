import type { StoredRecord } from "#store/collection.js";
import type { Purge, Purged } from "#store/purge.js";
import type { Row } from "#store/row.js";
import type { Reader } from "#store/store.js";
import type { Environment } from "../config/environment.js";
import { type Principal, systemPrincipal } from "../config/principal.js";
import { draftEvent, type EventSpec } from "../events/events.js";
import { delivery, outbox } from "../events/outbox.js";
import { differences, type EventOption, entityOf, stateOf, subjectOf } from "../events/record-events.js";
import { type FieldError, ReeveError } from "../http/errors.js";
import { requireNamedVersion } from "../http/version-condition.js";
import { type Collection, timeTransitionAt, timeTransitionEvent } from "../records/collection.js";
import { alsoInvolved, involvedAfter } from "../records/involved-after.js";
import { requireRoom } from "../records/limits.js";
import { findTransition, type Machine } from "../records/machine.js";
import { rememberShown } from "../records/outcome.js";
import { reportedRemoval } from "../records/removed-side.js";
import { advanced, created, type Draft, type Patch, type Stamped } from "../records/stamps.js";
import { followersOf } from "./followers.js";
import { takenBySecond } from "./four-eyes.js";
import { ReadContext, type RequestFacts } from "./read-context.js";
import { LONG_AGO } from "./removals.js";
import { askForReason, isReason, nameOn, REASON_LENGTH } from "./stops.js";
import { checkGuards, checkMover } from "./transition-checks.js";
import { grantAccess } from "./unit-access.js";
import type { UnitOfWork } from "./unit-of-work.js";
import type { RemoveOptions, TransitionOptions, UpdateOptions, WriteOptions } from "./write-options.js";

/** The context of a writing handler: it reads and writes in one transaction. */
export class Context extends ReadContext {
  readonly #unit: UnitOfWork;

  static {
    grantAccess((ctx: Context) => ctx.#unit);
  }

  constructor(env: Environment, request: RequestFacts, who: Principal | undefined, unit: UnitOfWork) {
    super(env, request, who, unit.reader);
    this.#unit = unit;
  }

  override get inTransaction(): boolean {
    return true;
  }

  /** The same transaction in another tenant. `who` is the principal that this tenant sees. */
  override on(tenantId: string, who: Principal = this.principal): Context {
    return new Context(this.env, { ...this.request, tenant: undefined }, who, this.#unit.on(tenantId));
  }

  override committed(tenantId: string): Reader {
    return this.#unit.committed(tenantId);
  }

  /** The same transaction in the name of another principal of the tenant. */
  as(who: Principal, request: RequestFacts = this.request): Context {
    return new Context(this.env, request, who, this.#unit);
  }

  /** Whether this transaction has written the collection in this tenant. */
  hasWritten(collection: Pick<Collection, "name">): boolean {
    return this.#unit.hasWritten(collection);
  }

  /** Id, first version, times and authors of a new record of this collection. */
  stamp(collection: { readonly prefix: string | null }): Stamped {
    const by = this.principal.userId;
    return {
      id: this.#idFor(collection),
      version: 1,
      createdAt: this.now,
      createdBy: by,
      updatedAt: this.now,
      updatedBy: by,
    };
  }

  /** Stores a new record and its `created` event. Machine-owned fields must hold an initial state. */
  async insert<R extends StoredRecord>(
    collection: Collection<R>,
    draft: Draft<NoInfer<R>>,
    options: WriteOptions<R> = {},
  ): Promise<R> {
    const record = this.#created(collection, draft);
    await this.#requireRoom(collection, 1);
    await this.#unit.insert(collection, record);
    await this.#tellCreated(collection, record, options.event);
    await this.#changed(collection, undefined, record);
    return record;
  }

  /** Like `insert`, for many records in one statement. */
  async insertMany<R extends StoredRecord>(
    collection: Collection<R>,
    drafts: readonly Draft<NoInfer<R>>[],
    options: WriteOptions<R> = {},
  ): Promise<readonly R[]> {
    if (drafts.length === 0) return [];
    const records = drafts.map((draft) => this.#created(collection, draft));
    await this.#requireRoom(collection, records.length);
    await this.#unit.insertMany(collection, records);
    for (const record of records) {
      await this.#tellCreated(collection, record, options.event);
      await this.#changed(collection, undefined, record);
    }
    return records;
  }

  /** Stores changed fields and an `updated` event that lists them. Writes nothing when no field differs. */
  async update<R extends StoredRecord>(
    collection: Collection<R>,
    previous: R,
    patch: Patch<NoInfer<R>>,
    { event, reason, stamp, touch, copy, involves }: UpdateOptions<R> = {},
  ): Promise<R> {
    for (const field of Object.keys(collection.machines ?? {})) {
      if (field in patch && (patch as Record<string, unknown>)[field] !== stateOf(previous, field)) {
        throw new Error(`${collection.name}: ${field} changes through its machine only`);
      }
    }
    const changes = differences(previous, patch);
    if (changes.length === 0 && !touch) return previous;
    const marks = stamp === false || copy ? undefined : this.#marks();
    const involved = marks && involves !== false ? involvedAfter(collection, previous, changes, marks.by) : {};
    const next = advanced(previous, { ...patch, ...involved } as Patch<R>, marks, copy);
    await this.#unit.replace(collection, next, previous);
    await this.#tell(collection, next, "updated", reason === undefined ? { changes } : { changes, reason }, event);
    await this.#changed(collection, previous, next);
    return next;
  }

  /**
   * Makes a transition. No other code writes a state. A move to the present state changes nothing. 409
   * `invalid_transition` when it is illegal, 409 `transition_guard_failed` when a guard fails, 400 when a required
   * reason is missing, 428 when the version that was seen must be named and is not.
   */
  async transition<R extends Stamped, S extends string, E extends string>(
    collection: Collection<R>,
    machine: Machine<S, E>,
    record: R,
    move: { readonly event: NoInfer<E> } | { readonly to: string },
    options: TransitionOptions<R> = {},
  ): Promise<R> {
    const from = stateOf(record, machine.field);
    if ("to" in move && move.to === from) return record;
    const triggeredBy = options.triggeredBy ?? "user";
    const row = findTransition(machine, from, move, triggeredBy === "user");
    if (triggeredBy === "user") checkMover(this, row, record);
    if (row.needsReason && triggeredBy === "user") requireReason(options.reason);
    const decided =
      row.fourEyes && triggeredBy === "user"
        ? await takenBySecond(this, collection, machine, row, record, options.involved ?? [])
        : row.asks
          ? alsoInvolved(collection, record, [this.principal.userId])
          : {};
    const patch = { ...decided, ...options.patch, [machine.field]: row.to } as Patch<R>;
    const next = advanced<R>(record, patch, this.#marks());
    const guards = await checkGuards(this, collection, machine, row, record, next);
    if (row.seen && triggeredBy === "user") requireNamedVersion(this.request.ifMatch);
    await this.#unit.replace(collection, next, record);
    await this.emit({
      type: machine.eventType,
      ...(row.warns ? { severity: "WARN" } : {}),
      subject: subjectOf(collection, record.id),
      related: collection.related?.(next) ?? [],
      shownUnder: [...(collection.shownUnder ?? []), ...(options.shownUnder ?? [])],
      data: {
        entity: entityOf(collection, next),
        from,
        to: row.to,
        event: row.event,
        reason: options.reason ?? null,
        guards,
        triggeredBy,
        changes: differences(record, options.patch ?? {}),
        ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
        ...options.data,
      },
      transition: { machine: machine.name, from, to: row.to },
    });
    await this.#changed(collection, record, next, options.data);
    if (row.stops && triggeredBy === "user")
      await askForReason(this, options.reason, {
        act: `${machine.name}: ${row.event}`,
        subject: subjectOf(collection, record.id),
        name: nameOn(next),
      });
    return next;
  }

  /** Removes a record and stores a `deleted` event with its last state. */
  async remove<R extends StoredRecord>(
    collection: Collection<R>,
    record: R,
    { event, reason, forGood }: RemoveOptions<R> = {},
  ): Promise<void> {
    await this.#unit.remove(collection, record, forGood ? LONG_AGO : this.now);
    await this.#tell(
      reportedRemoval(collection, record),
      record,
      "deleted",
      reason === undefined ? { before: record } : { before: record, reason },
      event,
    );
    await this.#changed(collection, record, undefined);
  }

  /** Stores a due time transition, in the name of the system and not of the caller. */
  async applyTimeTransition<R extends StoredRecord>(collection: Collection<R>, record: R): Promise<R> {
    const { timeTransition } = collection;
    if (!timeTransition) return record;
    const system = this.as(systemPrincipal(this.principal.tenantId));
    const timed = collection as unknown as Collection<R & Stamped>;
    let next = record as R & Stamped;
    do {
      const patch = timeTransition.patch?.(next) as Partial<R & Stamped> | undefined;
      const event = timeTransitionEvent(timeTransition, next);
      const options = { triggeredBy: "system", reason: timeTransition.reason, ...(patch ? { patch } : {}) } as const;
      next = await (event === null
        ? system.update(timed, next, (patch ?? {}) as Patch<R & Stamped>)
        : system.transition(timed, timeTransition.machine, next, { event }, options));
    } while (timeTransition.patch && this.isStale(timeTransitionAt(collection, next as R)));
    return next;
  }

  /**
   * The record of a row at this moment. A due time transition is stored first, because counters and versions follow the
   * stored record and not a derived one.
   */
  override async current<R extends StoredRecord>(collection: Collection<R>, row: Row<R>): Promise<R> {
    const isDue = this.isStale(row.staleAt) && this.isStale(timeTransitionAt(collection, row.value));
    if (!isDue) return row.value;
    const next = await this.applyTimeTransition(collection, row.value);
    rememberShown(next, this.derived(collection, row));
    return next;
  }

  /** Appends an event to the tenant's chain, in this transaction. */
  async emit(spec: EventSpec): Promise<void> {
    const draft = draftEvent(spec, {
      id: this.newId("evt"),
      time: this.now,
      principal: this.principal,
      requestId: this.request.requestId,
      typePrefix: this.env.options.eventTypePrefix,
    });
    await this.#unit.append(draft);
    if (this.env.options.onEvent) await this.insert(outbox, delivery(draft.id, this.now));
  }

  /** Erases the data of the events with these sequences for good and keeps the rest of them. At most 1,000. */
  eraseEvents(sequences: readonly number[]): Promise<void> {
    return this.#unit.eraseEvents(sequences);
  }

  /** Drops the events up to and including `upTo` for good. */
  pruneEvents(upTo: number): Promise<void> {
    return this.#unit.pruneEvents(upTo);
  }

  /** Deletes at most `size` rows of the tenant for good. */
  purge(what: Purge, size: number): Promise<Purged> {
    return this.#unit.tx.purge(what, size);
  }

  #idFor({ prefix }: { readonly prefix: string | null }): string {
    if (prefix === null) throw new Error("records of this collection bring their own id");
    return this.newId(prefix);
  }

  #marks(): { readonly now: string; readonly by: string } {
    return { now: this.now, by: this.principal.userId };
  }

  #created<R extends StoredRecord>(collection: Collection<R>, draft: Draft<R>): R {
    const record = created(collection, draft, () => this.#idFor(collection), this.#marks());
    for (const [field, machine] of Object.entries(collection.machines ?? {})) {
      if (!machine.initial.includes(stateOf(record, field)))
        throw new Error(`${collection.name}: ${field} is not an initial state`);
    }
    return record;
  }

  async #requireRoom<R extends StoredRecord>(collection: Collection<R>, wanted: number): Promise<void> {
    if (!collection.limit) return;
    await requireRoom(this.db, collection, this.request.tenant?.limit(collection.limit) ?? null, wanted);
  }

  async #tellCreated<R extends StoredRecord>(
    collection: Collection<R>,
    record: R,
    reported: EventOption<R> | undefined,
  ): Promise<void> {
    if (reported === false) return;
    const machines = Object.entries(collection.machines ?? {});
    const entered = machines.map(([field, machine]) => ({ machine: machine.name, to: stateOf(record, field) }));
    await this.#tell(collection, record, "created", { after: record }, reported, entered);
  }

  async #tell<R extends StoredRecord>(
    collection: Collection<R>,
    record: R,
    verb: string,
    data: Readonly<Record<string, unknown>>,
    reported: EventOption<R> | undefined,
    entered?: EventSpec["entered"],
  ): Promise<void> {
    if (reported === false) return;
    const { resource, related, shownUnder = [] } = collection;
    if (reported) {
      const event = typeof reported === "function" ? reported(record) : reported;
      const subject = event.subject ?? subjectOf(collection, record.id);
      return this.emit({ related: related?.(record) ?? [], shownUnder, ...event, subject });
    }
    if (!resource) return;
    if (resource.ownEvents) throw new Error(`collection ${collection.name} is written by its area alone`);
    // A caller's reason is not that of the system.
    const reason = this.principal.kind === "system" ? undefined : this.request.reason;
    await this.emit({
      type: `${resource.event}.${verb}`,
      subject: subjectOf(collection, record.id),
      related: related?.(record) ?? [],
      shownUnder,
      data: { entity: entityOf(collection, record), ...(reason === undefined ? {} : { reason }), ...data },
      entered,
    });
  }

  /** Runs the followers of the collection (`Area.follows`). */
  async #changed<R extends StoredRecord>(
    collection: Collection<R>,
    before: R | undefined,
    after: R | undefined,
    data?: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    for (const follow of this.env.use(followersOf).get(collection.name) ?? [])
      await follow(this as never, { before, after, data: data ?? {} } as never);
  }
}

/** 400 `missing_reason` unless the reason is long enough. */
export function requireReason(
  reason: string | undefined,
  at: Pick<FieldError, "pointer" | "parameter"> = { pointer: "/reason" },
): string {
  if (isReason(reason)) return reason;
  throw new ReeveError("missing_reason", undefined, {
    errors: [{ ...at, code: "missing_reason", message: `At least ${REASON_LENGTH} characters.` }],
  });
}
