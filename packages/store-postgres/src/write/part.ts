import { isOfRecords, type Write } from "@reeve/store-sql";
import type { Step } from "../connect/pipelined-batch.js";
import type { Session } from "../connect/session.js";
import { batchSteps } from "../connect/steps.js";
import type { PostCommitReads } from "../query/post-commit-reads.js";
import { endsConnection } from "../statement/errors.js";
import { parameters } from "../statement/parameters.js";
import { batches } from "./batch.js";

/** The most writes that are put together, because all of them run again if one fails. */
const MOST_WRITES = 1_000;

/** A unit that only writes, so that whoever has the turn can run it together with others. */
export class Part {
  /** Resolves after the commit. */
  readonly outcome: Promise<void>;
  /** Whether all that a refusal rests on is committed. */
  isSeen = true;
  /** Its statements once it is prepared. */
  steps: readonly Step[] = [];
  #resolve!: () => void;
  #reject!: (error: unknown) => void;

  constructor(
    readonly writes: readonly Write[],
    readonly reads: PostCommitReads,
  ) {
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // It may fail before anybody waits for it.
    this.outcome.catch(() => undefined);
  }

  done(): void {
    this.#resolve();
  }

  fail(error: unknown, isSeen = true): void {
    this.isSeen = isSeen;
    this.#reject(error);
  }

  /** Makes its statements. If that fails, so does the part, and `false` is returned. `isSet`: see `batchSteps`. */
  prepare(session: Session, isSet: boolean): boolean {
    try {
      this.steps = stepsOf(session, this.writes, isSet, (cause) => new PartFailed(cause, this));
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }
}

/** The failure of a part, or of parts that were put together, that leaves the connection sound. */
export class PartFailed extends Error {
  constructor(
    override readonly cause: unknown,
    readonly part?: Part,
  ) {
    super("a part failed");
  }
}

/**
 * The statements of all parts put together, most often one. It does the same as one part after the other, or fails.
 * `undefined` if the parts must run apart.
 */
export function togetherOf(session: Session, parts: readonly Part[], isSet: boolean): readonly Step[] | undefined {
  const writes = parts.flatMap((part) => part.writes);
  // A statement sees no change of its own, so it could not settle what is due after another unit has changed it.
  if (parts.length < 2 || writes.some(({ kind }) => kind === "settle") || sizeOf(writes) > MOST_WRITES)
    return undefined;
  try {
    return stepsOf(session, writes, isSet, (cause) => new PartFailed(cause));
  } catch {
    return undefined;
  }
}

/** Throws for a value that no column can hold. All writes are of one tenant. */
function stepsOf(
  session: Session,
  writes: readonly Write[],
  isSet: boolean,
  failed: (cause: unknown) => PartFailed,
): Step[] {
  const steps = batches(writes).flatMap((batch, at) => batchSteps(session, batch, true, isSet || at > 0));
  return steps.map((step) => ({
    ...step,
    values: parameters(step.values),
    failure: (error, answered) => {
      const failure = step.failure?.(error, answered) ?? error;
      return endsConnection(failure) ? failure : failed(failure);
    },
  }));
}

function sizeOf(writes: readonly Write[]): number {
  return writes.reduce((size, write) => {
    if (write.kind === "append") return size + write.events.length;
    return size + (isOfRecords(write) && write.kind === "insert" ? write.records.length : 1);
  }, 0);
}
