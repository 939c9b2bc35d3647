import { Batches, type ImportOptions, type ImportReport } from "./batches.js";
import { guardedEgress } from "./egress/guarded-egress.js";
import { resolverDns } from "./egress/resolver-dns.js";
import { everyTenant } from "./every-tenant.js";
import type { ImportItem } from "./families/estate/index.js";
import { type Decision, type DecisionFields, decideInProcess, evaluatePolicies } from "./families/governance/index.js";
import {
  ensureProviderAdmin,
  HUMAN_ONLY,
  type ProviderAdmin,
  principals,
  type Rotation,
  roles,
  rotateSigningKey,
} from "./families/identity/index.js";
import { operations as allOperations, collections, followers } from "./families/index.js";
import { interfaceDescription, PLATFORM_TENANT, platformGates, settings } from "./families/platform/index.js";
import type { OperationInput } from "./kernel/batch/operation-work.js";
import type { BatchInputs, BatchOptions } from "./kernel/batch/run.js";
import type { BatchReport } from "./kernel/batch/tally.js";
import { drainGate } from "./kernel/drain-gate.js";
import { createEnvironment } from "./kernel/environment.js";
import { ReeveError } from "./kernel/errors.js";
import type { NeutralRequest, NeutralResponse } from "./kernel/http.js";
import { openapiOf } from "./kernel/openapi.js";
import type { Operation } from "./kernel/operation.js";
import { type GivenOptions, type Options, resolveOptions } from "./kernel/options.js";
import { Page, Raw } from "./kernel/outcome.js";
import { Pipeline } from "./kernel/pipeline.js";
import type { Principal } from "./kernel/principal.js";
import { Router } from "./kernel/router.js";
import { publishedError } from "./kernel/store-errors.js";
import { checkTable, followersOf, tableOf } from "./kernel/table.js";
import { activeDataKey } from "./kernel/vault/data-keys.js";
import { type RotationProgress, renewDataKey, rewrapKeys } from "./kernel/vault/rotate.js";
import type { CallInput, CallOutput, OperationId } from "./operation-types.js";
import { type Clock, systemClock, timestamp } from "./ports/clock.js";
import type { Dns } from "./ports/dns.js";
import type { Egress } from "./ports/egress.js";
import { type IdSource, ulidSource } from "./ports/ids.js";
import { keyEncryption, type MasterKey } from "./ports/key-encryption.js";
import { type Logger, silentLogger } from "./ports/logger.js";
import type { Mailer } from "./ports/mailer.js";
import type { McpConnector } from "./ports/mcp.js";
import { type PasswordHasher, scryptHasher } from "./ports/password-hasher.js";
import { aesSecretBox, lateSecretBox } from "./ports/secret-box.js";
import { guardHub } from "./session-guard/hub.js";
import { openSessionGuard, type SessionGuard, type SessionGuardOptions } from "./session-guard/open.js";
import { Row } from "./store/row.js";
import type { Store } from "./store/store.js";
import { tick } from "./tick.js";

/** What a control plane is made of. Everything but the store, the master key and the base URL has a default. */
export interface ControlPlaneConfig extends GivenOptions {
  /** Where everything is kept; the control plane migrates and closes it. */
  readonly store: Store;
  /**
   * 32 random bytes or their base64 text, several such keys by number, or a key management service. What the store holds
   * sealed opens only with it.
   */
  readonly masterKey: MasterKey;
  /** Public address without a trailing slash; the issuer of tokens and the base of links. */
  readonly baseUrl: string;
  /** Where the time comes from; the system's clock when absent. */
  readonly clock?: Clock;
  /** Mints ids; ULIDs that rise with time when absent. */
  readonly ids?: IdSource;
  /** Where log records go; nowhere when absent. */
  readonly logger?: Logger;
  /** Hashes passwords; scrypt, two at a time, when absent. */
  readonly hasher?: PasswordHasher;
  /** Makes every outgoing call; when absent, a client that refuses all but public https targets and those of `egressAllow`. */
  readonly egress?: Egress;
  /** Sends codes, invitations and links; without one, what needs mail answers 501. */
  readonly mailer?: Mailer;
  /** Reads TXT records that prove domains; when absent, the name servers of `dnsServers` or of the system. */
  readonly dns?: Dns;
  /** Looks at MCP servers, as `@reeve/mcp` does; without one, probes and scans answer 501 and `tick` makes none. */
  readonly mcp?: McpConnector;
}

/** One running control plane. It starts no timers and opens no ports: the host calls it. */
export interface ControlPlane {
  /** Prepares the store; `handle` and `call` wait for it too. */
  ready(): Promise<void>;
  /** Answers a request, or gives `undefined` when its target is not ours, so that the host goes on. */
  handle(request: NeutralRequest): Promise<NeutralResponse | undefined>;
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
  /** Makes an administrator of the provider's own tenant unless that user is there already. 409 when the name is another tenant's. */
  ensureProviderAdmin(admin: ProviderAdmin): Promise<"created" | "present">;
  /**
   * Lets the next signing key sign; with `overlap: false` the old one's tokens die at once. `tick` does it by age. 409
   * `transition_guard_failed` when the next key is so new that other processes may not know it.
   */
  rotateSigningKey(rotation?: Rotation): Promise<{ readonly kid: string }>;
  /** The operations that are mounted. */
  readonly operations: readonly Operation[];
  /** The OpenAPI 3.0.3 document of the mounted operations. */
  openapi(): Record<string, unknown>;
  /**
   * Does what time has made due (expiries, deliveries) for every tenant. Call it about once a minute; safe to repeat. A tenant that
   * cannot be tended is logged and counted in `failed`, and keeps none of the others waiting.
   */
  tick(now?: Date): Promise<{ readonly done: number; readonly failed: number }>;
  /**
   * Wraps all data keys by the current master key, after which earlier ones can be taken away; with `dataKeys` also seals
   * every stored secret under a new data key. Runs beside requests; safe to interrupt and to repeat.
   */
  rotateKeys(options?: RotationOptions): Promise<{ readonly keys: number; readonly secrets: number }>;
  /**
   * Stands guard between a session's agent and what it does, in this process: checks before every call, a signal that cancels,
   * and the acknowledgement of what was decided. `close` closes it.
   */
  sessionGuard(options: SessionGuardOptions): Promise<SessionGuard>;
  /** Refuses new requests, waits up to ten seconds for those under way, and closes the store. Idempotent. */
  close(): Promise<void>;
}

/** What a rotation of keys does beyond the master key, and whom it tells how far it is. */
export interface RotationOptions {
  /** Seal all secrets under new data keys too. */
  readonly dataKeys?: boolean;
  /** Called after each tenant. */
  readonly onProgress?: (progress: RotationProgress) => void;
}

/** Builds a control plane. Refuses options that cannot work and an operation table with mistakes, before touching the store. */
export function createControlPlane(config: ControlPlaneConfig): ControlPlane {
  const {
    store,
    masterKey,
    clock = systemClock,
    ids = ulidSource(),
    logger = silentLogger,
    hasher = scryptHasher(),
    egress,
    mailer,
    dns,
    mcp,
    ...rest
  } = config;
  const options = resolveOptions(rest);
  const secretBox = lateSecretBox();
  const env = createEnvironment({
    store,
    clock,
    ids,
    logger,
    hasher,
    keyEncryption: keyEncryption(masterKey),
    secretBox,
    egress: egress ?? guardedEgress({ allow: options.egressAllow }),
    mailer,
    mcp,
    dns: dns ?? resolverDns({ servers: options.dnsServers }),
    options,
    humanOnly: HUMAN_ONLY,
  });
  checkTable(allOperations);
  const operations: readonly Operation[] = (allOperations as readonly Operation[]).filter((operation) =>
    isMounted(operation, options),
  );
  Object.assign(env.use(tableOf), { operations, collections, followers: followersOf(followers) });
  env.use(roles);
  const byId = new Map<string, Operation>(allOperations.map((operation) => [operation.id, operation as Operation]));
  const pipeline = new Pipeline(env, new Router(operations), env.use(platformGates), (request) =>
    env.use(principals).authenticate(request),
  );
  // Made when it is first asked for: it is most of the work of a start, and few processes are ever asked.
  let document: Record<string, unknown> | undefined;
  const openapi = () => (document ??= openapiOf(operations, options));
  let documentText: string | undefined;
  env.use(interfaceDescription).text = () => (documentText ??= JSON.stringify(openapi()));

  let prepared: Promise<void> | undefined;
  let usable = false;
  let watching: Promise<void> | undefined;
  const ready = () => {
    prepared ??= prepare().catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };
  const prepare = async () => {
    await store.migrate();
    secretBox.fill(aesSecretBox((await activeDataKey(env, PLATFORM_TENANT, "service")).key));
    watching ??= store.watch?.(env.changed);
    await watching;
    usable = true;
  };
  const inForce = env.use(settings);
  /** Waits for the schema and for settings young enough; `undefined` when there is nothing to wait for. */
  const entered = () => (usable ? inForce.fresh() : ready().then(() => inForce.fresh()));
  const gate = drainGate(async () => {
    await env.use(guardHub).close();
    await store.close();
  });
  const guarded = <R>(step: () => Promise<R>) =>
    gate.run(async () => {
      await entered();
      return step();
    });
  const batches = new Batches({ env, pipeline, guarded, plain: plainResult });
  const operationOf = (id: string): Operation => {
    const operation = byId.get(id);
    if (!operation) throw new ReeveError("route_not_found", `There is no operation "${id}".`);
    return operation;
  };

  return {
    ready,
    operations,
    openapi,
    close: gate.close,
    async handle(request) {
      try {
        gate.enter();
      } catch (thrown) {
        return pipeline.refuse(request, thrown);
      }
      try {
        const waiting = entered();
        if (waiting) await waiting;
        return await pipeline.handle(request);
      } catch (thrown) {
        return pipeline.refuse(request, thrown);
      } finally {
        gate.leave();
      }
    },
    async call<Id extends OperationId>(
      id: Id,
      principal: Principal | undefined,
      input: CallInput<Id> = {} as CallInput<Id>,
    ) {
      const operation = operationOf(id);
      const {
        params = {},
        query = {},
        body,
        ifMatch,
      } = input as { params?: object; query?: object; body?: object; ifMatch?: number };
      const raw = {
        params: params as Record<string, string>,
        query: query as Record<string, unknown>,
        body: body as Record<string, unknown> | undefined,
      };
      const result = await guarded(() => pipeline.call(operation, principal, raw, ifMatch));
      return plainResult(result) as CallOutput<Id>;
    },
    async decide(principal, request) {
      return guarded(async () => {
        const facts = await pipeline.admit(evaluatePolicies, principal, `req_${ids.next(clock.now())}`);
        return decideInProcess(env, principal, facts, request);
      }).catch((thrown: unknown) => Promise.reject(publishedError(thrown)));
    },
    async batch(id, principal, inputs, options = {}) {
      const given = inputs as BatchInputs<OperationInput>;
      return batches.run(operationOf(id), principal, given, options as BatchOptions<unknown>);
    },
    async importAssets(principal, items, options = {}) {
      return batches.importAssets(operationOf("aiAssets.import"), principal, items, options);
    },
    async principalOf(tenantId, userId) {
      await entered();
      return env.use(principals).of(tenantId, userId);
    },
    async ensureProviderAdmin(admin) {
      return guarded(() => ensureProviderAdmin(env, admin));
    },
    async rotateKeys({ dataKeys = false, onProgress } = {}) {
      await ready();
      const done = { keys: 0, secrets: 0 };
      for await (const tenantId of everyTenant(store)) {
        done.keys += await rewrapKeys(env, tenantId);
        if (dataKeys) done.secrets += await renewDataKey(env, tenantId, collections);
        onProgress?.({ tenantId, ...done });
      }
      return done;
    },
    async rotateSigningKey(rotation) {
      return gate.run(async () => {
        await ready();
        return rotateSigningKey(env, rotation);
      });
    },
    async sessionGuard(options) {
      return gate.run(async () => {
        await entered();
        return openSessionGuard(env, options);
      });
    },
    async tick(now = new Date(clock.now())) {
      await entered();
      return tick(env, timestamp(now.getTime()));
    },
  };
}

function isMounted(operation: Operation, options: Options): boolean {
  if (operation.mount === "root") return options.rootRoutes;
  if (operation.mount === "reference") return options.reference !== false;
  return true;
}

/** What a caller in process gets: values instead of texts. */
function plainResult(result: unknown): unknown {
  if (result instanceof Row) return result.value;
  if (result instanceof Page) return JSON.parse(result.text);
  if (!(result instanceof Raw)) return result;
  return result.contentType === "application/json" && typeof result.body === "string"
    ? JSON.parse(result.body)
    : result.body;
}
