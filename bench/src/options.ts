import { parseArgs } from "node:util";

export interface BenchOptions {
  readonly sizes: readonly number[];
  readonly stores: readonly ("sqlite" | "postgres")[];
  readonly frameworks: readonly ("fastify" | "express" | "listener")[];
  readonly connections: readonly number[];
  readonly operations: readonly string[] | undefined;
  readonly parts: readonly string[];
  /** Items per import. */
  readonly imports: number;
  readonly rounds: number;
  /** Length of a burst, in seconds. */
  readonly seconds: number;
  /** Whether to keep the cores from sleeping while reads are measured. */
  readonly awake: boolean;
  /** The folder for results; `undefined` writes none. */
  readonly results: string | undefined;
}

export const PARTS = ["http", "store", "growth", "identity", "sessions", "mcp", "import", "process"];

export const USAGE = `npm run bench -- [options]
  --sizes 10000,1000000       assets in the tenant; the first is measured on every framework, others on Fastify
  --stores sqlite,postgres    --frameworks fastify,express,listener    --connections 2,50
  --operations read,list,…    read, list, filtered, search, denied, create, transition (default all)
  --parts ${PARTS.join(",")}  which measurements to make
  --imports 100000            assets in one import, with agents, tools and models
  --rounds 5  --seconds 2     bursts of each contender, and how long one is
  --awake                     keep the cores from sleeping while reads are measured, for steadier figures on a virtual machine
  --quick                     a smoke run: 2,000 assets, one round of 0.5 s, results only printed
  --no-results                print, write nothing`;

/** Parses the command line. Throws with a usage message when it is invalid. */
export function readOptions(args: readonly string[], resultsFolder: string): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string" },
      stores: { type: "string", default: "sqlite,postgres" },
      frameworks: { type: "string", default: "fastify,express,listener" },
      connections: { type: "string", default: "2,50" },
      operations: { type: "string" },
      parts: { type: "string", default: PARTS.join(",") },
      imports: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      awake: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      "no-results": { type: "boolean", default: false },
    },
  });
  const { quick } = values;
  return {
    sizes: numbers("sizes", values.sizes ?? (quick ? "2000" : "10000,1000000")).sort((a, b) => a - b),
    stores: oneOf("stores", values.stores, ["sqlite", "postgres"] as const),
    frameworks: oneOf("frameworks", values.frameworks, ["fastify", "express", "listener"] as const),
    connections: numbers("connections", values.connections),
    operations: values.operations?.split(","),
    parts: oneOf("parts", values.parts, PARTS),
    imports: numbers("imports", values.imports ?? (quick ? "2000" : "100000"))[0] as number,
    rounds: numbers("rounds", values.rounds ?? (quick ? "1" : "5"))[0] as number,
    seconds: numbers("seconds", values.seconds ?? (quick ? "0.5" : "2"))[0] as number,
    awake: values.awake,
    results: quick || values["no-results"] ? undefined : resultsFolder,
  };
}

function numbers(name: string, text: string): number[] {
  const found = text.split(",").map(Number);
  if (found.every((each) => each > 0)) return found;
  throw new Error(`--${name} takes numbers above 0, not "${text}"`);
}

function oneOf<T extends string>(name: string, text: string, known: readonly T[]): T[] {
  const found = text.split(",");
  if (found.every((each): each is T => (known as readonly string[]).includes(each))) return found as T[];
  throw new Error(`--${name} knows ${known.join(", ")}, not "${text}"`);
}
