import type { KeyObject } from "node:crypto";
import type { Checkpoint } from "#families/options.js";

/** The range to verify, and checkpoints and a key to compare with. A range of other than whole numbers is a `TypeError`. */
export interface VerifyOptions {
  /** Start after this sequence. The start of the chain when absent or 0. */
  readonly after?: number;
  /** The most events to check. */
  readonly limit?: number;
  /** Checkpoints stored elsewhere, as passed to `anchor`. Those of the store are always compared. */
  readonly checkpoints?: readonly Checkpoint[];
  /**
   * A key, public or private. Checkpoints that name it must carry its valid signature. A chain that is verified to its
   * end without one of them is not valid.
   */
  readonly key?: KeyObject;
}

/** How far a verification came, and the first fault. */
export interface ChainVerification {
  readonly valid: boolean;
  readonly checked: number;
  readonly from: number;
  readonly to: number;
  readonly headHash: string;
  /** Checkpoints that were compared with the chain. Where there is a key, those that are signed. */
  readonly checkpoints: number;
  /** The last event that a signature by the key reaches. `null` where none does, and without a key. */
  readonly signedTo: number | null;
  readonly complete: boolean;
  readonly fault: { readonly sequence: number; readonly reason: string } | null;
}
