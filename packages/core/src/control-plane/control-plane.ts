import type { ImportItem } from "../families/estate/index.js";
import type { HostTenant, ProviderAdmin, Rotation } from "../families/identity/index.js";
import type { HostPrincipal } from "../families/options.js";
import type { SessionGuard, SessionGuardOptions } from "../families/sessions/guard/watch/open.js";
import type { Principal } from "../kernel/config/principal.js";
import type { NeutralRequest, NeutralResponse } from "../kernel/http/http.js";
import type { DescribedOperation } from "../kernel/operation/operation.js";
import type { RotationProgress } from "../kernel/operation/vault/rotate.js";
import type { BatchReport } from "../kernel/pipeline/batch/progress.js";
import type { BatchInputs, BatchOptions } from "../kernel/pipeline/batch/run.js";
import type { FetchOptions } from "../mount/fetch.js";
import type { ImportOptions, ImportReport } from "./batches.js";
import type { CallInput, CallOutput, Decision, DecisionFields, OperationId } from "./operation-types.js";
import type { EventsVerification } from "./verify-events.js";

/** One running control plane. It starts no timers and opens no ports: the host calls it. */
export interface ControlPlane {
  /** Prepares the store; `handle` and `call` wait for it too. */
  ready(): Promise<void>;
  /** Answers a request, or `undefined` when its target is not Reeve's and the host has to answer. */
  handle(request: NeutralRequest): Promise<NeutralResponse | undefined>;
  /** As `handle`, for hosts that speak the web standard's `Request` and `Response`: Hono, Next, SvelteKit, Bun. */
  fetch(request: Request, options?: FetchOptions): Promise<Response | undefined>;
  /** Runs an operation in process: the same checks, transaction and events, without HTTP. Rejects with `ReeveError`. */
  call<Id extends OperationId>(
    id: Id,
    principal: Principal | undefined,
    input?: CallInput<Id>,
  ): Promise<CallOutput<Id>>;
  /**
   * Decides whether somebody may do something now, as `POST /api/v1/ai/policies/evaluate` does: the same checks, rules, approvals
   * and limits. Resolves when the decision is in the activity stream; decisions that are asked for at once are written together.
   * Rejects with `ReeveError` where none can be given, which must count as a denial.
   */
  decide(principal: Principal, request: DecisionFields): Promise<Decision>;
  /**
   * Runs an operation that writes for many inputs, many to a transaction, with the same checks and events. An input that is refused
   * is told in the report and leaves the others alone. Rejects when the store fails or the principal may no longer; what was
   * committed stays.
   */
  batch<Id extends OperationId>(
    id: Id,
    principal: Principal,
    inputs: BatchInputs<CallInput<Id>>,
    options?: BatchOptions<CallOutput<Id>>,
  ): Promise<BatchReport>;
  /**
   * Imports any number of assets with their typed records. An asset that is there, by type, provider, external id and environment,
   * is changed where the item differs: an import that broke off is simply done again. Rejects as `batch` does.
   */
  importAssets(principal: Principal, items: BatchInputs<ImportItem>, options?: ImportOptions): Promise<ImportReport>;
  /** The principal of an active user, for `call`. */
  principalOf(tenantId: string, userId: string): Promise<Principal>;
  /** The principal of somebody whom the host has signed in, as what `authenticate` gives. */
  principalOf(person: HostPrincipal): Promise<Principal>;
  /** Makes an administrator of the provider's own tenant unless that user is there already. 409 when the name is another tenant's. */
  ensureProviderAdmin(admin: ProviderAdmin): Promise<"created" | "present">;
  /**
   * The tenant that the host knows by `externalId`; made, without a user of its own, where it is absent. Works whatever
   * `registration` says. 409 when `subdomain` is another tenant's.
   */
  ensureTenant(tenant: HostTenant): Promise<{ readonly tenantId: string; readonly created: boolean }>;
  /**
   * Lets the next signing key sign; with `overlap: false` the old one's tokens die at once. `tick` does it by age. 409
   * `transition_guard_failed` when the next key is so new that other processes may not know it.
   */
  rotateSigningKey(rotation?: Rotation): Promise<{ readonly kid: string }>;
  /** The operations that are mounted. */
  readonly operations: readonly DescribedOperation[];
  /** The OpenAPI 3.0.3 document of the mounted operations. */
  openapi(): Record<string, unknown>;
  /**
   * Does what is due (expiries, deliveries) for every tenant. Call it about once a minute; it is safe to repeat. A
   * tenant whose jobs fail is logged and counted in `failed`, and the others go on.
   */
  tick(now?: Date): Promise<{ readonly done: number; readonly failed: number }>;
  /**
   * Wraps all data keys by the current master key, after which earlier ones can be taken away; with `dataKeys` also seals
   * every stored secret under a new data key. Runs beside requests; safe to interrupt and to repeat.
   */
  rotateKeys(options?: RotationOptions): Promise<{ readonly keys: number; readonly secrets: number }>;
  /**
   * Verifies the hash chain of the events of every tenant, from its beginning. `onProgress` is called after each tenant. Runs beside
   * requests.
   */
  verifyEvents(onProgress?: (progress: EventsVerification) => void): Promise<EventsVerification>;
  /**
   * A guard for a session's agent in this process. It checks before every call, aborts calls by a signal, and
   * acknowledges decisions. `close` closes it.
   */
  sessionGuard(options: SessionGuardOptions): Promise<SessionGuard>;
  /** Refuses new requests, waits up to ten seconds for those under way, and closes the store. Idempotent. */
  close(): Promise<void>;
}

/** Options of a rotation of keys. */
export interface RotationOptions {
  /** Seal all secrets under new data keys too. */
  readonly dataKeys?: boolean;
  /** Called after each tenant. */
  readonly onProgress?: (progress: RotationProgress) => void;
}
