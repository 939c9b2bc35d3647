import type { Actor, Scene } from "./scene.js";

/** A valid request for an operation, with its preconditions. */
export interface Sample {
  /** Creates what the request is about. Returns the path parameters. */
  readonly arrange?: (scene: Scene) => Promise<Record<string, string>>;
  /** A query that the request requires. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: (scene: Scene, caller: Actor) => object;
  /** The operation takes no bearer token from the pipeline but checks the caller's itself. */
  readonly ownBearer?: true;
  /** A permission that this request needs in addition to the operation's. */
  readonly alsoNeeds?: string;
  /** Cannot succeed with only a tenant on the memory store. It has tests of its own. */
  readonly elsewhere?: true;
}
