import type { Actor, Scene } from "./scene.js";

/** A valid request for an operation: what must exist before, and what is sent. */
export interface Sample {
  /** Makes what the request is about, and gives the path parameters. */
  readonly arrange?: (scene: Scene) => Promise<Record<string, string>>;
  /** A query without which the request would be refused. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: (scene: Scene, caller: Actor) => object;
  /** The operation has no bearer of the pipeline's, and looks at the caller's by itself. */
  readonly ownBearer?: true;
  /** A permission that this very request needs beyond the operation's own. */
  readonly alsoNeeds?: string;
  /** Succeeds only where there is more than a tenant on the memory store; tests of its own see to that. */
  readonly elsewhere?: true;
}
