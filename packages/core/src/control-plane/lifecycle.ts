import { liveWaits } from "../families/activity/index.js";
import { PLATFORM_TENANT, settings } from "../families/platform/index.js";
import { guardHub } from "../families/sessions/guard/watch/hub.js";
import { drainGate } from "../kernel/async/drain-gate.js";
import type { Environment } from "../kernel/config/environment.js";
import { storeOf } from "../kernel/config/store-access.js";
import { deliveries, settlements } from "../kernel/events/outbox.js";
import { activeDataKey } from "../kernel/operation/vault/data-keys.js";
import { aesSecretBox, type LateSecretBox } from "../ports/secret-box.js";
import { StoreError } from "../store/store-error.js";

const NOT_ENDED =
  "a backup was restored, and tokens that were revoked since would work: run reeve after-restore, or call afterRestore()";

/** The lifecycle of a control plane. Nothing runs before the store is ready, and nothing starts once it closes. */
export class Lifecycle {
  readonly #gate = drainGate(() => this.#finish());
  readonly #closing = new AbortController();
  readonly #settings: ReturnType<(typeof settings)["create"]>;
  #opening: Promise<void> | undefined;
  #preparing: Promise<void> | undefined;
  #watching: Promise<void> | undefined;
  #usable = false;
  #others: Promise<void> | undefined;
  #delivered: Promise<void> | undefined;

  constructor(
    private readonly env: Environment,
    private readonly secretBox: LateSecretBox,
  ) {
    this.#settings = env.use(settings);
  }

  /** Prepares the store once. After a failure the next call tries again. */
  ready(): Promise<void> {
    this.#preparing ??= this.#prepare().catch((error: unknown) => {
      this.#preparing = undefined;
      throw error;
    });
    return this.#preparing;
  }

  /** Prepares the store once, like `ready`, though what a restored backup brought back is not ended yet. */
  opened(): Promise<void> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Waits for the schema and for fresh settings; `undefined` when there is nothing to wait for. */
  entered(): Promise<void> | undefined {
    return this.#usable ? this.#settings.fresh() : this.ready().then(() => this.#settings.fresh());
  }

  /** Aborts when closing begins. Jobs that are under way then begin nothing new. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Starts work that closing waits for. Throws `shutting_down` while closing. Call `leave` once for each. */
  enter(): void {
    this.#gate.enter();
  }

  leave(): void {
    this.#gate.leave();
  }

  /** Runs a step that closing waits for, once everything is ready. */
  run<R>(step: () => Promise<R>): Promise<R> {
    return this.#gate.run(() => {
      const entering = this.entered();
      return entering ? entering.then(step) : step();
    });
  }

  /**
   * Refuses new work and begins no more deliveries. Waits for what is under way and for `others`, and closes the store.
   * Idempotent.
   */
  close(others?: Promise<void>): Promise<void> {
    this.#others ??= others;
    this.#closing.abort();
    this.env.use(liveWaits).close();
    this.#delivered ??= this.env.use(deliveries).close();
    return this.#gate.close();
  }

  async #prepare(): Promise<void> {
    await this.opened();
    const { restored } = await storeOf(this.env).status();
    if (restored) throw new StoreError("schema", NOT_ENDED);
    this.#usable = true;
  }

  async #open(): Promise<void> {
    const store = storeOf(this.env);
    await store.migrate();
    this.secretBox.fill(aesSecretBox((await activeDataKey(this.env, PLATFORM_TENANT, "service")).key));
    this.#watching ??= store.watch?.(this.env.changed);
    await this.#watching;
  }

  async #finish(): Promise<void> {
    await this.#others;
    await this.env.use(guardHub).close();
    await this.#delivered;
    await this.env.use(settlements).close();
    await storeOf(this.env).close();
  }
}
