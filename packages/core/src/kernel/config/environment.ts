import type { Connector } from "#connectors/connector.js";
import type { Clock } from "#ports/clock.js";
import type { Dns } from "#ports/dns.js";
import type { Egress } from "#ports/egress.js";
import type { IdSource } from "#ports/ids.js";
import type { KeyEncryption } from "#ports/key-encryption.js";
import type { Logger } from "#ports/logger.js";
import type { Mailer } from "#ports/mailer.js";
import type { McpConnector } from "#ports/mcp.js";
import type { OpenidEngine } from "#ports/openid.js";
import type { PasskeyEngine } from "#ports/passkeys.js";
import type { PasswordHasher } from "#ports/password-hasher.js";
import type { SamlEngine } from "#ports/saml.js";
import type { SecretBox } from "#ports/secret-box.js";
import type { Tracer } from "#ports/tracer.js";
import type { StoredCollection } from "#store/collection.js";
import type { Change, ChangeListener, Store } from "#store/store.js";
import type { KernelOptions } from "./options.js";
import { type ReadStore, readStore } from "./read-store.js";
import { STORE } from "./store-access.js";

/** What all parts of one control plane share: ports, options, store and services. */
export interface Environment {
  /** Reads only. Writes go through a context. */
  readonly store: ReadStore;
  readonly [STORE]: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly hasher: PasswordHasher;
  readonly keyEncryption: KeyEncryption;
  /** Seals cursors and computes fingerprints. Its key survives rotations of the master key. Usable once ready. */
  readonly secretBox: SecretBox;
  /** The only way to call the outside. Never call it inside a transaction. */
  readonly egress: Egress;
  /** Absent unless the host gave one. Operations that need mail then answer 501. */
  readonly mailer: Mailer | undefined;
  /** Connects to MCP servers. Never call it inside a transaction. Without it, operations that need it answer 501. */
  readonly mcp: McpConnector | undefined;
  /** The protocol of SAML 2.0. Without it, operations that need it answer 501. */
  readonly saml: SamlEngine | undefined;
  /** Passkeys as a second factor. Without it, operations that need it answer 501. */
  readonly passkeys: PasskeyEngine | undefined;
  /** Sign-in of browsers by OpenID providers. Without it, operations that need it answer 501. */
  readonly openid: OpenidEngine | undefined;
  /** Connectors to other systems by provider key. Never call one inside a transaction. */
  readonly connectors: ReadonlyMap<string, Connector>;
  /** Verifies domains. Never call it inside a transaction. */
  readonly dns: Dns;
  /** Absent unless the host gave one. Nothing is traced then. */
  readonly tracer: Tracer | undefined;
  readonly options: KernelOptions;
  /** Permissions that no machine client can hold, whatever its principal claims. */
  readonly humanOnly: ReadonlySet<string>;
  /** The instance of a service in this control plane, created at first use. */
  use<T>(service: Service<T>): T;
  /** Calls `listener` after every commit of this process, with the collections that it wrote. */
  onCommit(listener: (change: Change) => void): void;
  /**
   * For caches. Calls `listener` with the tenant after each commit that wrote one of these collections. Commits of
   * other processes arrive through `Store.watch`. `undefined` means that any tenant may have changed. The collections
   * must be `broadcast`.
   */
  onBroadcast(collections: readonly Broadcast[], listener: (tenantId: string | undefined) => void): void;
  /** Notifies both kinds of listeners of a commit of this process. */
  committed(change: Change): void;
  /** Notifies caches of changes that other processes made or may have made. */
  changed: ChangeListener;
}

type Broadcast = Pick<StoredCollection, "name" | "broadcast">;

/** State that lasts as long as the control plane, such as a cache, a key ring or a limiter. */
export interface Service<T> {
  readonly name: string;
  readonly create: (environment: Environment) => T;
}

/** A service with the instance that a control plane uses. */
export type Provided = readonly [Service<unknown>, unknown];

/** Provides a service with an existing instance. */
export function provided<T>(service: Service<T>, value: T): Provided {
  return [service, value];
}

export function defineService<T>(name: string, create: (environment: Environment) => T): Service<T> {
  return Object.freeze({ name, create });
}

type Made = "store" | typeof STORE | "use" | "onCommit" | "onBroadcast" | "committed" | "changed";

/** Builds the environment of a control plane. */
export function createEnvironment(
  { store, ...parts }: Omit<Environment, Made> & { readonly store: Store },
  given: readonly Provided[] = [],
): Environment {
  const made = new Map<Service<unknown>, unknown>(given);
  const hooks: ((change: Change) => void)[] = [];
  const caches: ChangeListener[] = [];
  const environment: Environment = {
    ...parts,
    store: readStore(store),
    [STORE]: store,
    use<T>(service: Service<T>): T {
      if (!made.has(service)) made.set(service, service.create(environment));
      return made.get(service) as T;
    },
    onCommit: (listener) => {
      hooks.push(listener);
    },
    onBroadcast: (collections, listener) => {
      const deaf = collections.find(({ broadcast }) => !broadcast);
      if (deaf) throw new Error(`collection ${deaf.name}: caches depend on it, so it must be broadcast`);
      const names = collections.map(({ name }) => name);
      caches.push((change) => {
        if (!change || names.some((name) => change.collections.has(name))) listener(change?.tenantId);
      });
    },
    committed: (change) => {
      environment.changed(change);
      for (const hook of hooks) hook(change);
    },
    changed: (change) => {
      for (const drop of caches) drop(change);
    },
  };
  return environment;
}
