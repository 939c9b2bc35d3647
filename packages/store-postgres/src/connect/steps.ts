import { GENESIS_HASH, StoreError } from "@reeve/core/store";
import { duplicateError, staleError, type Write } from "@reeve/store-sql";
import type pg from "pg";
import { batchStatement } from "../statement/batch-statement.js";
import { commitError, stateOf } from "../statement/errors.js";
import { statementName } from "../statement/statement-name.js";
import { takenKey } from "../statement/taken-key.js";
import { SET_PLATFORM, SET_TENANT, tenantText } from "../statement/tenant.js";
import type { Answer, Step } from "./pipelined-batch.js";
import type { Session } from "./session.js";

/** Maximum wait for the lock of a second tenant, in ms. */
const SECOND_LOCK_MS = 250;

/**
 * For a transaction that has set the tenant. The condition prevents the update, but an existing row is locked all the
 * same.
 */
export const LOCK_TENANT = `insert into "reeve".chain_heads as h (tenant_id, seq, hash, prev_hash)
values ($1::text, 0, '${GENESIS_HASH}', '${GENESIS_HASH}')
on conflict (tenant_id) do update set seq = h.seq where false`;

/** A maker of steps with the same text, whose name is computed once. */
export function stepOf(text: string): (session: Session, ...values: readonly string[]) => Step {
  const name = statementName(text);
  return (session, ...values) => session.ready({ text, values, name });
}

export const beginStep = stepOf("begin");
const plainCommitStep = stepOf("commit");
/** Ends the transaction. */
export const commitStep = (session: Session): Step => ({ ...plainCommitStep(session), failure: commitError });
/** The savepoint before each unit of a group but the first. */
export const savepointStep = stepOf("savepoint unit");
export const releaseStep = stepOf("release savepoint unit");
/** Undoes a unit. The savepoint stays for the next one. */
export const undoStep = stepOf("rollback to savepoint unit");
const plainTenantStep = stepOf(SET_TENANT);
/** Sets the tenant for the rest of the transaction. Only a statement of its own reaches the other nodes of a cluster. */
export const setTenantStep = (session: Session, tenantId: string): Step =>
  session.isDistributed ? { text: tenantText(tenantId), values: [], name: "" } : plainTenantStep(session, tenantId);
export const openStep = stepOf(SET_PLATFORM);
const onlyLockStep = stepOf(LOCK_TENANT);
/** Sets the tenant and takes its lock. Creates its chain head when there is none. */
export const lockSteps = (session: Session, tenantId: string): Step[] => [
  setTenantStep(session, tenantId),
  onlyLockStep(session, tenantId),
];
const eraseStep = stepOf(`update "reeve".events set data = null where tenant_id = $1::text and data is not null
  and seq in (select value::bigint from json_array_elements_text($2::json))`);
/** The head must be raised first, because the table refuses to delete events after it. */
const raisePrunedStep = stepOf(
  'update "reeve".chain_heads set pruned = greatest(pruned, least($2::bigint, seq - 1)) where tenant_id = $1::text',
);
const PRUNED = 'seq <= (select pruned from "reeve".chain_heads h where h.tenant_id = $1::text)';
const pruneSteps = [
  `delete from "reeve".event_streams es using "reeve".events e cross join lateral json_array_elements_text(e.streams::json) s(stream)
  where e.tenant_id = $1::text and e.${PRUNED} and es.tenant_id = $1::text and es.stream = s.stream and es.seq = e.seq`,
  `delete from "reeve".events where tenant_id = $1::text and ${PRUNED}`,
].map(stepOf);
/** The default of a connection need not be what applies to it, so the value before is kept. */
const hurryStep =
  stepOf(`with s as materialized (select set_config('reeve.lock_timeout', current_setting('lock_timeout'), true))
select set_config('lock_timeout', '${SECOND_LOCK_MS}ms', true) from s`);
const easeStep = stepOf("select set_config('lock_timeout', current_setting('reeve.lock_timeout'), true)");

/**
 * Takes the lock of a second tenant. Its holder may wait for the first tenant, so the wait is short. The next try takes
 * both in order.
 */
export function secondLockSteps(session: Session, tenantId: string): Step[] {
  const failure = (error: unknown) =>
    stateOf(error) === "55P03"
      ? new StoreError("conflict", "two transactions want the same two tenants", { cause: error })
      : error;
  const locking = lockSteps(session, tenantId).map((step) => ({ ...step, failure }));
  return [hurryStep(session), ...locking, easeStep(session)];
}

/**
 * Writes a batch. `locked`: the tenant's lock is held; otherwise the statement takes it. `isSet`: the step before has set
 * the tenant.
 */
export function batchSteps(session: Session, batch: readonly Write[], locked: boolean, isSet = false): Step[] {
  const first = batch[0] as Write;
  const { tenantId } = first;
  const opening = isSet ? [] : [setTenantStep(session, tenantId)];
  if (first.kind === "erase") {
    const sequences = JSON.stringify(first.sequences);
    return [...opening, eraseStep(session, tenantId, sequences)];
  }
  if (first.kind === "prune") {
    const raised = raisePrunedStep(session, tenantId, String(first.upTo));
    return [...opening, raised, ...pruneSteps.map((step) => step(session, tenantId))];
  }
  const statement = batchStatement(tenantId, batch, locked);
  const { text, values, name } = session.ready(statement);
  const written: Step = { text, values, name, failure: (error) => refusal(error, batch) };
  return [...opening, written];
}

/** Runs one step for a tenant, which commits at once, and returns its answer. */
export async function runAlone(session: Session, tenantId: string, step: Step): Promise<Answer | undefined> {
  const [begin, end] = session.isDistributed ? [[beginStep(session)], [commitStep(session)]] : [[], []];
  const before = [...begin, setTenantStep(session, tenantId)];
  return (await session.send([...before, step, ...end]))[before.length];
}

/** Steps that are a transaction of their own, which the server commits after the last one. */
export function committingSteps(steps: readonly Step[]): Step[] {
  const last = steps.at(-1) as Step;
  const failure = (error: unknown, answered: boolean) =>
    answered ? commitError(error) : (last.failure?.(error, false) ?? error);
  return [...steps.slice(0, -1), { ...last, failure }];
}

/** The database's refusal of a batch, as a `StoreError`. */
function refusal(error: unknown, batch: readonly Write[]): unknown {
  const state = stateOf(error);
  if (state === "RV001" && error instanceof Error) return staleError(error.message);
  if (state !== "23505") return error;
  const { table, key } = takenKey(error as pg.DatabaseError, batch);
  return duplicateError(table, key, error);
}
