import type { Json } from "../client.js";

/** A real system that the tour has started on this machine. */
export interface System {
  readonly name: string;
  /** The connector for it. */
  readonly providerKey: string;
  /** What it is and holds, for the page. */
  readonly about: string;
  readonly configuration: Json;
  readonly secrets: Json;
  stop(): Promise<void>;
}
