import type { ImportItem } from "../families/estate/index.js";
import type { HostTenant, ProviderAdmin, Rotation } from "../families/identity/index.js";
import type { DeliveryBacklog } from "../families/notices/index.js";
import type { HostPrincipal } from "../families/options.js";
import type { SessionGuard, SessionGuardOptions } from "../families/sessions/guard/watch/open.js";
import type { Principal } from "../kernel/config/principal.js";
import type { NeutralRequest, NeutralResponse } from "../kernel/http/http.js";
import type { DescribedOperation } from "../kernel/operation/operation.js";
import type { RotationProgress } from "../kernel/operation/vault/rotate.js";
import type { BatchReport } from "../kernel/pipeline/batch/progress.js";
import type { BatchInputs, BatchOptions } from "../kernel/pipeline/batch/run.js";
import type { FetchOptions } from "../mount/fetch.js";
import type { RestoreProgress } from "./after-restore.js";
import type { ImportOptions, ImportReport } from "./batches.js";
import type { CallInput, CallOutput, Decision, DecisionFields, OperationId } from "./operation-types.js";
import type { TickOutcome } from "./ticker.js";
import type { EventsVerification, EventsVerificationOptions } from "./verify-events.js";

/** One running control plane. It opens no ports, and no timer before `start`; the host calls it. */
export interface ControlPlane {
  /**
   * Prepares the store. `handle` and `call` also wait for it. Rejects for a database that is marked as restored, until
   * `afterRestore` is through.
   */
  ready(): Promise<void>;
  /** Answers a request. `undefined` when its target is not Reeve's, so that the host answers. */
  handle(request: NeutralRequest): Promise<NeutralResponse | undefined>;
  /** Like `handle`, for hosts with web-standard `Request` and `Response`: Hono, Next, SvelteKit, Bun. */
  fetch(request: Request, options?: FetchOptions): Promise<Response | undefined>;
  /** Runs an operation in process, with the same checks, transaction and events. Rejects with `ReeveError`. */
  call<Id extends OperationId>(
    id: Id,
    principal: Principal | undefined,
    input?: CallInput<Id>,
  ): Promise<CallOutput<Id>>;
  /**
   * Decides whether a subject may do something now, with the checks, rules, approvals and limits of `POST
   * /api/v1/ai/policies/evaluate`. Resolves once the decision is in the activity stream; concurrent decisions are
   * written together. Rejects with `ReeveError` when there is no decision; treat that as a denial.
   */
  decide(principal: Principal, request: DecisionFields): Promise<Decision>;
  /**
   * Runs a writing operation for many inputs, many in one transaction, with the same checks and events. The report
   * lists refused inputs, which do not affect others. Rejects when the store fails or the principal loses access; what
   * was committed stays.
   */
  batch<Id extends OperationId>(
    id: Id,
    principal: Principal,
    inputs: BatchInputs<CallInput<Id>>,
    options?: BatchOptions<CallOutput<Id>>,
  ): Promise<BatchReport>;
  /**
   * Imports any number of assets with their typed records. An asset that exists (by type, provider, external id and
   * environment) is changed where the item differs, so an interrupted import can simply be repeated. Rejects as `batch`
   * does.
   */
  importAssets(principal: Principal, items: BatchInputs<ImportItem>, options?: ImportOptions): Promise<ImportReport>;
  /** The principal of an active user, for `call`. */
  principalOf(tenantId: string, userId: string): Promise<Principal>;
  /** The principal of a person whom the host has signed in, as `authenticate` gives it. */
  principalOf(person: HostPrincipal): Promise<Principal>;
  /**
   * Creates an administrator in the provider's own tenant unless that user exists. 409 when another tenant has the
   * name.
   */
  ensureProviderAdmin(admin: ProviderAdmin): Promise<"created" | "present">;
  /**
   * The tenant that the host knows by `externalId`. Creates it without a user when it is absent, whatever
   * `registration` says. 409 when another tenant has the `subdomain`.
   */
  ensureTenant(tenant: HostTenant): Promise<{ readonly tenantId: string; readonly created: boolean }>;
  /**
   * Makes the next signing key the active one. `overlap: false` ends every access token at once, and every refresh
   * token in all tenants; call it again after an error. `tick` rotates by age. 409 `transition_guard_failed` when the
   * next key is too new to be known to other processes.
   */
  rotateSigningKey(rotation?: Rotation): Promise<{ readonly kid: string }>;
  /** The mounted operations. */
  readonly operations: readonly DescribedOperation[];
  /** The OpenAPI 3.0.3 document of the mounted operations. */
  openapi(): Record<string, unknown>;
  /**
   * Does due work (expiries, deliveries) for every tenant. `start` calls it; a host that does not, calls it about once a
   * minute. It is safe to repeat. A tenant whose jobs fail is logged and counted in `failed`.
   */
  tick(now?: Date): Promise<{ readonly done: number; readonly failed: number }>;
  /**
   * Ticks from now on, `tickSeconds` after the tick before has ended. Does nothing when it has started already. `onTick`
   * hears what each did. The timer keeps no process alive.
   */
  start(onTick?: (outcome: TickOutcome) => void): void;
  /**
   * Ends what `start` began. The running tick begins no further job, and is waited for, up to ten seconds. `close` does
   * it too.
   */
  stop(): Promise<void>;
  /**
   * Wraps all data keys by the current master key, so that earlier ones can be removed. With `dataKeys` it also seals
   * every secret under a new data key. Runs beside requests; safe to interrupt and repeat. With `dataKeys` it rejects
   * with `schema` while the database has migrations that this version does not know.
   */
  rotateKeys(options?: RotationOptions): Promise<{ readonly keys: number; readonly secrets: number }>;
  /**
   * Verifies the event chain of every tenant from its beginning, and compares it with checkpoints kept elsewhere.
   * `onProgress` is called after each tenant. Runs beside requests.
   */
  verifyEvents(
    onProgress?: (progress: EventsVerification) => void,
    options?: EventsVerificationOptions,
  ): Promise<EventsVerification>;
  /**
   * How many events wait to be sent to webhooks and to each audit sink, and since when: of the tenants of which this process
   * knows that some may wait, or of all tenants with `everywhere`, which reads each of them.
   */
  backlog(options?: { readonly everywhere?: boolean }): Promise<readonly DeliveryBacklog[]>;
  /**
   * Call it once when a backup is in place again, before anything serves. It ends tokens, codes, links and signing keys
   * that the backup has brought back, in every tenant, and refuses assertions from before. `onProgress` is called after
   * each tenant. Safe to repeat.
   */
  afterRestore(onProgress?: (progress: RestoreProgress) => void): Promise<RestoreProgress>;
  /**
   * A guard for a session's agent in this process. It checks before every call, aborts calls by a signal and
   * acknowledges decisions. `close` of the control plane closes it.
   */
  sessionGuard(options: SessionGuardOptions): Promise<SessionGuard>;
  /**
   * Refuses new requests, and begins no further job or delivery. Waits up to ten seconds for what is under way, and closes
   * the store. Idempotent.
   */
  close(): Promise<void>;
}

/** Options of a key rotation. */
export interface RotationOptions {
  /** Also seals all secrets under new data keys. */
  readonly dataKeys?: boolean;
  /** Called after each tenant. */
  readonly onProgress?: (progress: RotationProgress) => void;
}
