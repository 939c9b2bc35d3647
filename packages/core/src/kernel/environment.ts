import type { Clock } from "../ports/clock.js";
import type { Egress } from "../ports/egress.js";
import type { IdSource } from "../ports/ids.js";
import type { KeyEncryption } from "../ports/key-encryption.js";
import type { Logger } from "../ports/logger.js";
import type { Mailer } from "../ports/mailer.js";
import type { PasswordHasher } from "../ports/password-hasher.js";
import type { SecretBox } from "../ports/secret-box.js";
import type { ChangeListener, Store } from "../store/store.js";
import type { Collection } from "./collection.js";
import type { Options } from "./options.js";

/** What every part of one control plane shares: its ports, options, store, and the services made from them. */
export interface Environment {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly hasher: PasswordHasher;
  readonly keyEncryption: KeyEncryption;
  /** Seals cursors and makes fingerprints, under a key that outlives rotations of the master key. Usable once ready. */
  readonly secretBox: SecretBox;
  /** The only way to call anything outside; never inside a transaction. */
  readonly egress: Egress;
  /** Absent where the host gave none: what needs mail then answers 501. */
  readonly mailer: Mailer | undefined;
  readonly options: Options;
  /** Permissions that no machine client holds, whoever hands in its principal. */
  readonly humanOnly: ReadonlySet<string>;
  /** The one instance of a service in this control plane, made at first use. */
  use<T>(service: Service<T>): T;
  /**
   * Calls `listener` after every commit that wrote one of these collections, with the tenant: at once after one in this process,
   * and after those of other processes where the store hears of them (`Store.watch`). Without a tenant when any may have
   * changed. All must be `watched`.
   */
  onCommit(collections: readonly Watched[], listener: CommitListener): void;
  committed: ChangeListener;
}

type Watched = Pick<Collection, "name" | "watched">;
export type CommitListener = (tenantId: string | undefined) => void;

/** Something a family keeps for the life of a control plane: a cache, a key ring, a limiter. */
export interface Service<T> {
  readonly name: string;
  readonly create: (environment: Environment) => T;
}

export function defineService<T>(name: string, create: (environment: Environment) => T): Service<T> {
  return Object.freeze({ name, create });
}

/** Builds the environment of a control plane. */
export function createEnvironment(parts: Omit<Environment, "use" | "onCommit" | "committed">): Environment {
  const made = new Map<Service<unknown>, unknown>();
  const listeners: { readonly names: readonly string[]; readonly listener: CommitListener }[] = [];
  const environment: Environment = {
    ...parts,
    use<T>(service: Service<T>): T {
      if (!made.has(service)) made.set(service, service.create(environment));
      return made.get(service) as T;
    },
    onCommit: (collections, listener) => {
      const deaf = collections.find(({ watched }) => !watched);
      if (deaf) throw new Error(`collection ${deaf.name}: caches depend on it, so it must be watched`);
      listeners.push({ names: collections.map(({ name }) => name), listener });
    },
    committed: (change) => {
      for (const { names, listener } of listeners) {
        if (!change || names.some((name) => change.collections.has(name))) listener(change?.tenantId);
      }
    },
  };
  return environment;
}
