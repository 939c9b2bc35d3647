import { Readable } from "node:stream";
import { runCommand } from "../src/cli/program.js";

/** A command of `reeve`, and what it finds around it. */
export interface Ask {
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  /** Is written to both streams after what the command wrote. */
  readonly end: string;
}

const REST = process.cwd();

// Each command listens for the end of its reader, and no command takes that back, because its process ends.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);
process.setMaxListeners(0);

async function run({ args, directory, env, input }: Ask): Promise<number> {
  process.chdir(directory);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  Object.defineProperty(process, "stdin", { configurable: true, value: Readable.from(input === "" ? [] : [input]) });
  try {
    const code = await runCommand(args, process.env);
    if (code === undefined) throw new Error("a command that goes on takes a process of its own");
    return code;
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`);
    return 1;
  } finally {
    process.chdir(REST);
  }
}

/** Runs one command after the other in one process, because each new one would load core anew. */
process.on("message", async (ask: Ask) => {
  const code = await run(ask);
  for (const stream of [process.stdout, process.stderr]) stream.write(ask.end);
  process.send?.(code);
});
process.on("disconnect", () => process.exit());
