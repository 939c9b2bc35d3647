import type { Row } from "../store/row.js";
import type { Change, Transaction } from "../store/store.js";
import { requirePermission } from "./access.js";
import { agingEvent, type Collection, type StoredRecord } from "./collection.js";
import type { Environment } from "./environment.js";
import { type FieldError, ReeveError } from "./errors.js";
import { draftEvent, type EventSpec } from "./events.js";
import type { Wanted } from "./key-holder.js";
import { requireRoom } from "./limits.js";
import { findTransition, type Machine, type Transition } from "./machine.js";
import { announce, settle } from "./outbox.js";
import { type Principal, systemPrincipal } from "./principal.js";
import { ReadContext, type RequestFacts } from "./read-context.js";
import { tableOf } from "./table.js";

/** Least length of a reason, in characters. */
export const REASON_LENGTH = 10;

/** The properties every governed record is stamped with. */
export interface Stamped extends StoredRecord {
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

interface TransitionOptions<R> {
  readonly reason?: string | undefined;
  /** Fields that change together with the state. */
  readonly patch?: Partial<R>;
  readonly triggeredBy?: "user" | "policy" | "sweeper" | "connector";
  /** More facts for the event. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What a handler works with: the reading side, and the only ways to change anything. */
export class Context extends ReadContext {
  /** Names of the collections written, for the caches. */
  readonly written = new Set<string>();
  /** The records that were to be stored, for refusals that name who holds their key. */
  readonly wanted: Wanted[] = [];
  readonly #sides: Context[] = [];

  constructor(
    env: Environment,
    request: RequestFacts,
    who: Principal | undefined,
    source: ConstructorParameters<typeof ReadContext>[3],
  ) {
    super(env, request, who, source);
  }

  /** The open transaction. Reading operations have none. */
  get tx(): Transaction {
    if (!this.inTransaction) throw new Error("this operation only reads");
    return this.db as Transaction;
  }

  /**
   * Runs `work` in one transaction of the principal's tenant, for operations that do slow things (hashing, calls to the
   * outside) before they write. `work` may run twice, so it only writes.
   */
  async write<T>(work: (ctx: Context) => Promise<T>, as: Principal = this.principal): Promise<T> {
    let changes: readonly Change[] = [];
    const result = await this.env.store.transaction(as.tenantId, async (tx) => {
      const inner = new Context(this.env, this.request, as, tx);
      const value = await work(inner);
      changes = inner.changes();
      return value;
    });
    settle(this.env, changes);
    return result;
  }

  /**
   * The same request on another tenant's side: in the transaction when one is open, else reading. `who` is the name under which
   * that tenant sees what is done.
   */
  on(tenantId: string, who: Principal = this.principal): Context {
    const source = this.inTransaction ? this.tx.as(tenantId) : this.env.store.forTenant(tenantId);
    const side = new Context(this.env, { ...this.request, tenant: undefined }, who, source);
    this.#sides.push(side);
    return side;
  }

  /** Counts what another context has written in this transaction as written here. */
  adopt(other: Context): void {
    this.#sides.push(other);
  }

  /** What was written, on each side, for the caches. */
  changes(): readonly Change[] {
    const own: Change = { tenantId: this.db.tenantId, collections: this.written };
    return [own, ...this.#sides.flatMap((side) => side.changes())];
  }

  newId(prefix: string): string {
    return `${prefix}_${this.env.ids.next(this.request.nowMs)}`;
  }

  /** Id, first version and the marks of who and when, for a new record of this collection. */
  stamp(collection: { readonly prefix: string | null }): Stamped {
    if (collection.prefix === null) throw new Error("records of this collection bring their own id");
    const by = this.principal.userId;
    return {
      id: this.newId(collection.prefix),
      version: 1,
      createdAt: this.now,
      createdBy: by,
      updatedAt: this.now,
      updatedBy: by,
    };
  }

  /** Stores a new record and its `created` event. Machine-owned fields must hold an initial state. */
  async insert<R extends StoredRecord>(collection: Collection<R>, record: R): Promise<R> {
    const machines = Object.entries(collection.machines ?? {});
    const entered = machines.map(([field, machine]) => ({ machine: machine.name, to: stateOf(record, field) }));
    for (const [field, machine] of machines) {
      if (!machine.initial.includes(stateOf(record, field)))
        throw new Error(`${collection.name}: ${field} is not an initial state`);
    }
    if (collection.limit) await requireRoom(this.tx, collection, this.request.tenant?.limit(collection.limit) ?? null);
    this.wanted.push({ collection, record });
    await this.tx.insert(collection, record);
    this.written.add(collection.name);
    await this.record(collection, record, "created", { after: record }, entered);
    await this.changed(collection, undefined, record);
    return record;
  }

  /** Stores changed fields and an `updated` event that lists them; when nothing differs, nothing is written. */
  async update<R extends Stamped>(collection: Collection<R>, previous: R, patch: Partial<R>): Promise<R> {
    for (const field of Object.keys(collection.machines ?? {})) {
      if (field in patch && (patch as Record<string, unknown>)[field] !== stateOf(previous, field)) {
        throw new Error(`${collection.name}: ${field} changes through its machine only`);
      }
    }
    const changes = differences(previous, patch);
    if (changes.length === 0) return previous;
    const next = this.advanced(previous, patch);
    this.wanted.push({ collection, record: next });
    await this.tx.replace(collection, next, previous);
    this.written.add(collection.name);
    await this.record(collection, next, "updated", { changes });
    await this.changed(collection, previous, next);
    return next;
  }

  /**
   * Moves a record along its machine: the only code that writes a state. Asking for the state it is in changes nothing.
   * Illegal: 409 `invalid_transition`; guard not met: 409 `transition_guard_failed`; no reason where one is due: 400.
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
    if (triggeredBy === "user") this.checkMover(row, record);
    if (row.needsReason && triggeredBy === "user") requireReason(options.reason);
    const guards = await this.checkGuards(collection, machine, row, record);
    const patch = { ...options.patch, [machine.field]: row.to } as Partial<R>;
    const next = this.advanced(record, patch);
    await this.tx.replace(collection, next, record);
    this.written.add(collection.name);
    await this.emit({
      type: machine.eventType,
      subject: subjectOf(collection, record.id),
      related: collection.related?.(next) ?? [],
      data: {
        entity: entityOf(collection, next),
        from,
        to: row.to,
        event: row.event,
        reason: options.reason ?? null,
        guards,
        triggeredBy,
        changes: differences(record, options.patch ?? {}),
        ...options.data,
      },
      transition: { machine: machine.name, from, to: row.to },
    });
    await this.changed(collection, record, next, options.data);
    return next;
  }

  /** Stores what time has done to a record whose moment has come, as Reeve itself and not as the caller. */
  async mature<R extends StoredRecord>(collection: Collection<R>, record: R): Promise<R> {
    const { ages } = collection;
    if (!ages) return record;
    const clockwork = new Context(this.env, this.request, systemPrincipal(this.principal.tenantId), this.tx);
    const aged = collection as unknown as Collection<R & Stamped>;
    let next = record as R & Stamped;
    do {
      const patch = ages.patch?.(next) as Partial<R & Stamped> | undefined;
      const event = agingEvent(ages, next);
      const options = { triggeredBy: "sweeper", reason: ages.reason, ...(patch ? { patch } : {}) } as const;
      next = await (event === null
        ? clockwork.update(aged, next, patch ?? {})
        : clockwork.transition(aged, ages.machine, next, { event }, options));
    } while (ages.patch && this.isStale(collection.staleAt?.(next) ?? null));
    for (const name of clockwork.written) this.written.add(name);
    return next;
  }

  // A write starts from what is stored, never from a derived view of it: counters and versions go by the stored record.
  protected override async current<R extends StoredRecord>(collection: Collection<R>, row: Row<R>): Promise<R> {
    if (!this.inTransaction) return super.current(collection, row);
    return this.isStale(row.staleAt) ? this.mature(collection, row.value) : row.value;
  }

  /** Takes a record out of every read and stores a `deleted` event with what it was. */
  async remove<R extends Stamped>(collection: Collection<R>, record: R): Promise<void> {
    await this.tx.remove(collection, record, this.now);
    this.written.add(collection.name);
    await this.record(collection, record, "deleted", { before: record });
    await this.changed(collection, record, undefined);
  }

  /** Adds an event to the tenant's chain, in this transaction. */
  async emit(spec: EventSpec): Promise<void> {
    const draft = draftEvent(spec, {
      id: this.newId("evt"),
      time: this.now,
      principal: this.principal,
      requestId: this.request.requestId,
      typePrefix: this.env.options.eventTypePrefix,
    });
    await this.tx.append(draft);
    if (this.env.options.onEvent) await announce(this, draft.id);
  }

  /** Lets those who follow the collection do their part (`Family.follows`). */
  private async changed<R extends StoredRecord>(
    collection: Collection<R>,
    before: R | undefined,
    after: R | undefined,
    data?: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    for (const follow of this.env.use(tableOf).followers.get(collection.name) ?? [])
      await follow(this, { before, after, data: data ?? {} });
  }

  private async record<R extends StoredRecord>(
    collection: Collection<R>,
    record: R,
    verb: string,
    data: Readonly<Record<string, unknown>>,
    entered?: EventSpec["entered"],
  ): Promise<void> {
    if (!collection.resource) return;
    if (collection.resource.ownEvents) throw new Error(`collection ${collection.name} is written by its family alone`);
    await this.emit({
      type: `${collection.resource.event}.${verb}`,
      subject: subjectOf(collection, record.id),
      related: collection.related?.(record) ?? [],
      data: { entity: entityOf(collection, record), ...data },
      entered,
    });
  }

  private advanced<R extends Stamped>(previous: R, patch: Partial<R>): R {
    const version = previous.version + 1;
    return { ...previous, ...patch, version, updatedAt: this.now, updatedBy: this.principal.userId };
  }

  private checkMover(row: Transition, record: object): void {
    const { userId, kind } = this.principal;
    const { owner, requestedBy } = record as { owner?: { id?: string } | null; requestedBy?: string | null };
    const owns = owner?.id === userId;
    if (row.permission && !(row.ownerMay && owns)) requirePermission(this.env, this.principal, row.permission);
    if ((row.secondPerson || row.byPeople) && kind === "client")
      throw new ReeveError("permission_denied", `"${row.event}" is a decision that only people take.`);
    if (row.secondPerson && (owns || requestedBy === userId)) {
      throw new ReeveError(
        "self_approval_forbidden",
        `"${row.event}" must be done by someone who neither asked for it nor owns it.`,
      );
    }
  }

  private async checkGuards<R extends StoredRecord>(
    collection: Collection<R>,
    machine: Machine,
    row: Transition,
    record: R,
  ): Promise<string[]> {
    const names = row.guards ?? [];
    const results: { key: string; ok: boolean; detail: string }[] = [];
    for (const key of names) {
      const guard = machine.guards[key];
      if (!guard) throw new Error(`machine ${machine.name} has no guard "${key}"`);
      const missing = await guard.check({ record, to: row.to, ctx: this, collection });
      results.push({ key, ok: missing === undefined, detail: missing ?? guard.description });
    }
    const failed = results.filter((result) => !result.ok);
    if (failed.length > 0) {
      throw new ReeveError("transition_guard_failed", failed.map((result) => result.detail).join(" "), {
        members: { guards: results },
      });
    }
    return [...names];
  }
}

/** 400 `missing_reason` unless there is one of sufficient length. */
export function requireReason(
  reason: string | undefined,
  at: Pick<FieldError, "pointer" | "parameter"> = { pointer: "/reason" },
): string {
  if (reason !== undefined && reason.trim().length >= REASON_LENGTH) return reason;
  throw new ReeveError("missing_reason", undefined, {
    errors: [{ ...at, code: "missing_reason", message: `At least ${REASON_LENGTH} characters.` }],
  });
}

function subjectOf(collection: Pick<Collection, "name" | "resource">, id: string): EventSpec["subject"] {
  const { resource } = collection;
  if (!resource) throw new Error(`collection ${collection.name} is not a resource`);
  return { id, type: resource.type, path: `${resource.path}/${id}` };
}

function entityOf(collection: Pick<Collection, "resource">, record: object): Record<string, unknown> {
  const { id, name } = record as { id: string; name?: string };
  return { type: collection.resource?.type, id, ...(name === undefined ? {} : { name }) };
}

function stateOf(record: object, field: string): string {
  return (record as Record<string, string>)[field] as string;
}

function differences(previous: object, patch: object): { field: string; from: unknown; to: unknown }[] {
  const before = previous as Record<string, unknown>;
  return Object.entries(patch)
    .filter(([field, value]) => JSON.stringify(before[field]) !== JSON.stringify(value))
    .map(([field, value]) => ({ field, from: before[field] ?? null, to: value ?? null }));
}
