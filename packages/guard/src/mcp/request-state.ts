import { record } from "../answer.js";
import type { Guard } from "../guard.js";
import { jsonOf } from "../question.js";
import { type Refusal, refusal } from "../refusal.js";
import type { RequestContext, RequestStateCodec } from "./protocol.js";

/** Names this guard's part in what the client sends back. */
export const KEY = "dev.reeve/approval";

const OF_OTHERS = "It is of another session or of another caller";
/** Why a codec does not take a state, by its own words. */
const REASONS: Readonly<Record<string, string>> = { expired: "It has expired", bind: OF_OTHERS };

/** A call of a tool, as the client has sent it. */
export interface SentCall {
  readonly guard: Guard;
  readonly tool: string;
  readonly args: unknown;
  readonly context: RequestContext;
}

/** What a request state says: an approval, the one call that it is for, and how often the client was told to come again. */
export interface Bound {
  readonly approvalId: string;
  readonly round: number;
}

/** Signs the approval that a call waits for, so that nothing but this call can come back with it. */
export async function mintState(codec: RequestStateCodec, call: SentCall, bound: Bound): Promise<string> {
  return codec.mint({ [KEY]: { ...bound, ...(await partsOf(call)) } }, call.context);
}

/** What the client sent back, a refusal where it does not fit, or `undefined` where nothing of this guard came back. */
export async function readState(codec: RequestStateCodec, call: SentCall): Promise<Bound | Refusal | undefined> {
  let sent = call.context.mcpReq.requestState();
  if (typeof sent === "string")
    try {
      sent = await codec.verify(sent, call.context);
    } catch (error) {
      return unfit(REASONS[String(record(error)?.message)] ?? "It is not of this server");
    }
  const { approvalId, round, ...parts } = record(record(sent)?.[KEY]) ?? {};
  if (typeof approvalId !== "string") return undefined;
  const own = await partsOf(call);
  if (parts.tool !== own.tool) return unfit("It is of a call of another tool");
  if (parts.caller !== own.caller) return unfit(OF_OTHERS);
  if (parts.args !== own.args) return unfit("The arguments have changed since");
  return { approvalId, round: Number(round) };
}

const unfit = (why: string) =>
  refusal("invalid_request_state", `What the client sent back does not fit. ${why}, so make the call anew.`);

async function partsOf({ guard: { options }, tool, args, context }: SentCall) {
  const { agent, server = null, session = null } = options;
  const clientId = context.http?.authInfo?.clientId ?? null;
  // The client can read what is signed, and so gets digests.
  const [callerDigest, argsDigest] = [digest([agent, server, session, clientId]), digest(args)];
  return { tool, caller: await callerDigest, args: await argsDigest.catch(() => "") };
}

async function digest(value: unknown): Promise<string> {
  const text = JSON.stringify(JSON.parse(jsonOf(value)), inOrder);
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

/** Clients may send the same members in another order. */
function inOrder(_name: string, value: unknown): unknown {
  const members = record(value);
  return members ? Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1))) : value;
}
