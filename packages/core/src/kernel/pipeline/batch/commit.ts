import { ReeveError } from "../../http/errors.js";
import { publishedError } from "../../http/store-errors.js";
import { rehearse } from "../../operation/rehearse.js";
import { transact } from "../../operation/transact.js";
import { unitOf } from "../../operation/unit-access.js";
import { type Attempt, attempt, type BatchActor, BatchPoisoned, causeOf, concernsItem } from "./attempt.js";
import type { Sends } from "./held-writes.js";
import type { BatchItem, BatchWork, Refused } from "./work.js";

/** What was committed of a batch, and which inputs still wait. */
export type Committed<P, T> = Pick<Attempt<P, T>, "outcomes" | "waiting">;

type Opens<P, T> = Pick<BatchWork<never, P, T>, "open">;

/**
 * Commits a batch in one transaction where possible. When the store refuses something, it asks for the keys and retries
 * without refused inputs, or in halves when the store does not say which input it refused. Rejects when the store fails;
 * the last transaction is then rolled back.
 */
export async function commitBatch<P, T>(
  actor: BatchActor,
  work: Opens<P, T>,
  items: readonly BatchItem<P>[],
  sends: Sends = "ahead",
): Promise<Committed<P, T>> {
  const [first] = items;
  if (!first) return { outcomes: [], waiting: [] };
  try {
    return await commitOnce(actor, work, items, sends);
  } catch (thrown) {
    if (thrown instanceof BatchPoisoned) {
      const failed = new Set(thrown.refused.map(({ index }) => index));
      const rest = items.filter(({ index }) => !failed.has(index));
      return joined({ outcomes: thrown.refused, waiting: [] }, await commitBatch(actor, work, rest, "together"));
    }
    if (!concernsItem(thrown)) throw causeOf(thrown);
    if (sends === "ahead") return commitBatch(actor, work, items, "together");
    if (items.length === 1) return { outcomes: [{ index: first.index, error: publishedError(thrown) }], waiting: [] };
    const half = Math.ceil(items.length / 2);
    return joined(
      await commitBatch(actor, work, items.slice(0, half), "together"),
      await commitBatch(actor, work, items.slice(half), "together"),
    );
  }
}

/** Commits all inputs, or rejects with one refusal that lists the errors of each. */
export async function commitAtomic<P, T>(
  actor: BatchActor,
  work: Opens<P, T>,
  items: readonly BatchItem<P>[],
): Promise<Committed<P, T>> {
  try {
    return await commitOnce(actor, work, items, "together", requireAll);
  } catch (thrown) {
    throw thrown instanceof BatchPoisoned ? refusalOf(thrown.refused) : thrown;
  }
}

/** Throws unless every input was done. */
export function requireAll<P, T>({ outcomes, waiting }: Committed<P, T>): void {
  const refused = outcomes.flatMap((outcome) => (outcome.error ? [outcome] : []));
  if (refused.length + waiting.length > 0) throw refusalOf([...refused, ...waiting]);
}

/** One refusal for the whole batch: the code of the first refused input, and all errors by index in `items`. */
export function refusalOf(refused: readonly Refused[]): ReeveError {
  const items = [...refused].sort((a, b) => a.index - b.index);
  const { index, error: first } = items[0] as Refused;
  const errors = items.flatMap(({ index: at, error: { code, message, errors: fields } }) =>
    fields.length === 0
      ? [{ pointer: `/items/${at}`, code, message }]
      : fields.map((field) => ({ ...field, pointer: `/items/${at}${field.pointer ?? ""}` })),
  );
  const { members, cause } = first;
  return new ReeveError(first.code, `Item ${index}: ${first.message} Nothing was stored.`, { errors, members, cause });
}

async function commitOnce<P, T>(
  actor: BatchActor,
  work: Opens<P, T>,
  items: readonly BatchItem<P>[],
  sends: Sends,
  check?: (attempt: Attempt<P, T>) => void,
): Promise<Attempt<P, T>> {
  const { env, foreseen } = actor;
  const done = await (foreseen ? rehearse : transact)(env, actor, async (ctx) => {
    const made = await attempt(actor, unitOf(ctx), work, items, sends);
    check?.(made);
    return made;
  });
  foreseen?.add(done.grown);
  done.turn.committed?.();
  return done;
}

function joined<P, T>(one: Committed<P, T>, other: Committed<P, T>): Committed<P, T> {
  return { outcomes: [...one.outcomes, ...other.outcomes], waiting: [...one.waiting, ...other.waiting] };
}
