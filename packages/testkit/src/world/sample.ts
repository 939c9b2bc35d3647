import type { Actor, Scene } from "./scene.js";

type Query = Readonly<Record<string, string>>;

/** A valid request for an operation, with its preconditions. */
export interface Sample {
  /** Creates what the request is about, for this caller or the owner. Returns the path parameters. */
  readonly arrange?: (scene: Scene, caller?: Actor) => Promise<Record<string, string>>;
  /** A query that the request requires. */
  readonly query?: Query | ((scene: Scene) => Query);
  readonly body?: (scene: Scene, caller: Actor) => object;
  /** `If-Match` of a decision that names the version that was seen. */
  readonly ifMatch?: string;
  /** Media types that the caller has to take. */
  readonly accept?: string;
  /** The operation takes no bearer token from the pipeline but checks the caller's itself. */
  readonly ownBearer?: true;
  /** A permission that this request needs in addition to the operation's. */
  readonly alsoNeeds?: string;
  /** Nothing of it exists in the provider's own tenant, whose roles are of no tenant's. */
  readonly ofTenants?: true;
  /** How long `arrange` is good for, in milliseconds, when that is less than caches live. */
  readonly goodForMs?: number;
  /** It cannot succeed with only a tenant on the memory store, and answers this status. It has tests of its own. */
  readonly elsewhere?: number;
}
