import { type Imported, type ImportItem, importWork } from "../families/estate/index.js";
import type { Environment } from "../kernel/config/environment.js";
import type { Principal } from "../kernel/config/principal.js";
import type { Operation } from "../kernel/operation/operation.js";
import { processContext } from "../kernel/operation/system-context.js";
import { operationWork, requireBatchable } from "../kernel/pipeline/batch/operation-work.js";
import type { BatchProgress, BatchReport } from "../kernel/pipeline/batch/progress.js";
import { type BatchInputs, type BatchOptions, runBatch } from "../kernel/pipeline/batch/run.js";
import type { BatchWork } from "../kernel/pipeline/batch/work.js";
import { recordDenials } from "../kernel/pipeline/denial.js";
import type { OperationInput } from "../kernel/pipeline/operation-input.js";
import type { Pipeline } from "../kernel/pipeline/pipeline.js";
import { requireStorable } from "../kernel/pipeline/storable-input.js";
import { refuseUnknownFields, type UnknownField, unknownFields } from "../kernel/pipeline/unknown-fields.js";

/** The progress of an import, counting committed items. */
export interface ImportProgress extends BatchProgress, Readonly<Record<Imported["outcome"], number>> {}

/** The result of an import. */
export interface ImportReport extends ImportProgress, BatchReport {}

export interface ImportOptions extends BatchOptions<Imported, ImportProgress> {
  /** Stores nothing: the report and the outcomes say what an import would do to what is stored now. */
  readonly dryRun?: boolean;
  /** Findings that the first evaluation opens on new assets are the baseline, which ranks below other findings. */
  readonly baseline?: boolean;
}

/** What batches use of their control plane. */
interface Surroundings {
  readonly env: Environment;
  readonly pipeline: Pipeline;
  /** Runs one transaction once the control plane is ready, unless it is closing. */
  guarded<R>(step: () => Promise<R>): Promise<R>;
  /** An operation's result for a caller in process. */
  plain(result: unknown): unknown;
}

/** A run of an operation, by whom, and whether it stores anything. */
interface Identified {
  readonly operation: Operation;
  readonly principal: Principal;
  readonly requestId: string;
  readonly dryRun?: boolean;
}

/** Runs batches in process. Every transaction is checked like a call. */
export class Batches {
  constructor(private readonly around: Surroundings) {}

  /** Runs an operation for many inputs, many in one transaction. */
  async run(
    operation: Operation,
    principal: Principal,
    inputs: BatchInputs<OperationInput>,
    options: BatchOptions<unknown>,
  ): Promise<BatchReport> {
    requireBatchable(operation);
    const { env, plain } = this.around;
    const requestId = this.#requestId();
    const work = operationWork(env, principal, operation, requestId, plain);
    return this.#run({ operation, principal, requestId }, work, inputs, options);
  }

  /** Imports assets. The caller needs the permission of `operation`. */
  async importAssets(
    operation: Operation,
    principal: Principal,
    items: BatchInputs<ImportItem>,
    { onProgress, onOutcome, dryRun = false, baseline = false, ...options }: ImportOptions,
  ): Promise<ImportReport> {
    const { env } = this.around;
    const requestId = this.#requestId();
    const counts = { created: 0, updated: 0, unchanged: 0 };
    const reading = () => {
      const facts = { requestId, nowMs: env.clock.now(), mountPath: "" };
      return processContext(env, principal, facts);
    };
    const work = knowingly(operation, importWork(reading, { dryRun, baseline }));
    const run = { operation, principal, requestId, dryRun };
    const report = await this.#run(run, work, items, {
      ...options,
      onOutcome(outcome) {
        if (outcome.value) counts[outcome.value.outcome] += 1;
        onOutcome?.(outcome);
      },
      ...(onProgress ? { onProgress: (progress: BatchProgress) => onProgress({ ...progress, ...counts }) } : {}),
    });
    return { ...report, ...counts };
  }

  #requestId(): string {
    const { env } = this.around;
    return `req_${env.ids.next(env.clock.now())}`;
  }

  #run<I, P, T>(
    { operation, principal, requestId, dryRun = false }: Identified,
    work: BatchWork<I, P, T>,
    inputs: BatchInputs<I>,
    options: BatchOptions<T>,
  ): Promise<BatchReport> {
    const { env, pipeline, guarded } = this.around;
    return runBatch({
      env,
      principal,
      dryRun,
      work,
      inputs,
      options,
      admit: () => pipeline.admit(operation, principal, requestId),
      guarded,
      async trace(facts, refused) {
        for (const { code, cause } of refused) {
          if (code === "internal")
            env.logger.error(
              { requestId, operation: operation.id, error: String(cause) },
              "an input of a batch failed",
            );
        }
        await recordDenials({ env, principal, facts }, operation.id, refused);
      },
    });
  }
}

/** Refuses items that JSON cannot express, and unknown properties where the tenant refuses them, as a request would. */
function knowingly<P, T>(
  operation: Operation,
  work: BatchWork<unknown, P, T>,
): BatchWork<ImportItem, { readonly item: P; readonly unknown: readonly UnknownField[] }, T> {
  return {
    async prepare(given) {
      requireStorable({ body: given });
      const unknown = unknownFields(operation, { items: [given] });
      return { item: await work.prepare(given), unknown: unknown.map(withinItem) };
    },
    async open(ctx, items) {
      const turn = await work.open(
        ctx,
        items.map(({ item }) => item),
      );
      return {
        async one(inner, { item, unknown }) {
          refuseUnknownFields(inner.request, unknown);
          return turn.one(inner, item);
        },
        committed: () => turn.committed?.(),
      };
    },
  };
}

/** Where it stands in its item instead of the request. */
const withinItem = ({ path, known }: UnknownField): UnknownField => ({ path: path.slice(2), known });
