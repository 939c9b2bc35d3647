import type { Capability, Connector } from "@reeve/core/connectors";
import type { Bench } from "./bench.js";

/** One thing that every connector with certain capabilities must do. */
export interface ConformanceCase {
  readonly name: string;
  /** It applies to connectors that have all of these. To each when absent. */
  readonly needs?: readonly Capability[];
  /** Whether it applies to this connector and target. It does when absent. */
  applies?(of: { readonly connector: Connector }): boolean;
  /** Throws what is wrong. Gives a reason where the target cannot be asked. It begins with a target that has been reset. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most cases give nothing back
  run(bench: Bench): Promise<string | void>;
}

/** A case that a target cannot be asked for, with the reason to print. */
export interface ConformanceSkip {
  readonly case: string;
  readonly reason: string;
}
