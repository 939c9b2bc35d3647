import type { Clock } from "../ports/clock.js";
import type { Egress } from "../ports/egress.js";
import type { IdSource } from "../ports/ids.js";
import type { KeyEncryption } from "../ports/key-encryption.js";
import type { Logger } from "../ports/logger.js";
import type { Mailer } from "../ports/mailer.js";
import type { PasswordHasher } from "../ports/password-hasher.js";
import type { SecretBox } from "../ports/secret-box.js";
import type { Store } from "../store/store.js";
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
  /** Calls `listener` after every commit in this process with the collections that were written. */
  onCommit(listener: CommitListener): void;
  committed(change: Change): void;
}

/** What a commit changed: enough to drop what caches hold. */
export interface Change {
  readonly tenantId: string;
  readonly collections: ReadonlySet<string>;
}

export type CommitListener = (change: Change) => void;

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
  const listeners: CommitListener[] = [];
  const environment: Environment = {
    ...parts,
    use<T>(service: Service<T>): T {
      if (!made.has(service)) made.set(service, service.create(environment));
      return made.get(service) as T;
    },
    onCommit: (listener) => {
      listeners.push(listener);
    },
    committed: (change) => {
      for (const listener of listeners) listener(change);
    },
  };
  return environment;
}
