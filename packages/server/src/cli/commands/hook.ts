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

/** The moments at which clients ask before a call of a tool. */
const BEFORE_CALL = ["PreToolUse", "BeforeTool", "beforeShellExecution", "beforeMCPExecution"];

/** Clients that take a refusal in their form. The others take it by the exit code. */
const READ_REFUSALS = ["gemini-cli", "cursor"];

/**
 * Asks whether a client may make the call that stands on standard input. A permission is printed in the client's form,
 * and for Gemini CLI and Cursor a refusal too. Everything else ends with the code by which clients block the call, and with the
 * reason on standard error.
 */
export async function hook({ env, output }: Invocation, { client, file, timeout }: Options): Promise<ExitCode> {
  const bound = setTimeout(() => process.exit(notAsked(`no answer within ${timeout} seconds`)), timeout * 1_000);
  try {
    const question = await text(process.stdin);
    const installation = readInstallation(fileOf(env, file));
    const path = `/api/v1/hooks/${encodeURIComponent(client)}`;
    const answer = await askAs(installation, path, question, timeout * 1_000);
    const { decision, reason } = decisionIn(question, answer);
    // Gemini CLI takes an end with that code for a failure of the hook, and Codex a permission in words.
    if (decision === "deny" && !READ_REFUSALS.includes(client)) return block(reason);
    if (client !== "codex") output.text(JSON.stringify(answer));
    return 0;
  } catch (error) {
    return notAsked(error instanceof Failure ? error.reasons.join("; ") : "the hook failed");
  } finally {
    clearTimeout(bound);
  }
}

interface Decided {
  readonly decision: "allow" | "deny";
  readonly reason: string;
}

/** What was decided. Clients take an answer without a decision for a permission, so here it is a `Failure`. */
function decisionIn(question: string, answer: unknown): Decided {
  if (!BEFORE_CALL.includes(Object(JSON.parse(question)).hook_event_name)) return { decision: "allow", reason: "" };
  const { hookSpecificOutput, permission, agent_message } = Object(answer);
  const { permissionDecision = permission, permissionDecisionReason = agent_message } = Object(hookSpecificOutput);
  const { decision = permissionDecision, reason = permissionDecisionReason } = Object(answer);
  if (decision === "allow" || decision === "deny") return { decision, reason: String(reason) };
  throw new Failure("the answer holds no decision");
}

function block(reason: string): ExitCode {
  process.stderr.write(`${reason}\n`);
  return BLOCK;
}

const notAsked = (reason: string): ExitCode => block(`Blocked, because Reeve could not be asked: ${reason}`);
