import { text } from "node:stream/consumers";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { askAs } from "../installation/ask.js";
import { fileOf, readInstallation } from "../installation/credential-file.js";

interface Options {
  readonly client: string;
  readonly file?: string;
  readonly timeout: number;
}

/** The exit code by which clients block a call. */
const BLOCK = 2;

/**
 * Asks whether a client may make the call that stands on standard input, and prints the answer in the client's form.
 * Whatever goes wrong ends with the code by which clients block the call, and with the reason on standard error.
 */
export async function hook({ env, output }: Invocation, { client, file, timeout }: Options): Promise<ExitCode> {
  const bound = setTimeout(() => blockNow(`no answer within ${timeout} seconds`), timeout * 1_000);
  try {
    const question = await text(process.stdin);
    const installation = readInstallation(fileOf(env, file));
    const path = `/api/v1/hooks/${encodeURIComponent(client)}`;
    const answer = await askAs(installation, path, question, timeout * 1_000);
    output.text(JSON.stringify(answer));
    return 0;
  } catch (error) {
    const reasons = error instanceof Failure ? error.reasons : ["the hook failed"];
    process.stderr.write(`Blocked, because Reeve could not be asked: ${reasons.join("; ")}\n`);
    return BLOCK;
  } finally {
    clearTimeout(bound);
  }
}

/** Ends the process, also where standard input or the server holds it. */
function blockNow(reason: string): never {
  process.stderr.write(`Blocked, because Reeve could not be asked: ${reason}\n`);
  process.exit(BLOCK);
}
