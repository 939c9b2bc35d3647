import type { Contender } from "./contender.js";
import type { Operation } from "./operations.js";
import type { BenchOptions } from "./options.js";

/** After this many answers neither side gets faster; writes take longest. A smoke run of one round skips it. */
const WARM_ANSWERS = 8_000;

/** Loads a server until its code is fully compiled, as after a minute of use. More code takes longer. */
export async function warmUp(
  contender: Contender,
  operation: Operation,
  connections: number,
  { rounds, seconds }: Pick<BenchOptions, "rounds" | "seconds">,
): Promise<void> {
  const { requests } = await contender.load(operation, connections, { seconds: seconds * 3 });
  const missing = rounds > 1 ? WARM_ANSWERS - requests : 0;
  if (missing > 0) await contender.load(operation, connections, { requests: missing });
}
