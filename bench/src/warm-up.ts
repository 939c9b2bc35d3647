import type { Contender } from "./contender.js";
import type { Operation } from "./operations.js";
import type { BenchOptions } from "./options.js";

/** After so many answers neither side grows faster; writes need longest for them. A smoke run of one round does without. */
const WARM_ANSWERS = 8_000;

/** Loads until code is compiled for good, as it is in a server that has been in use for a minute: more code takes longer. */
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
