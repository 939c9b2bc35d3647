import { record } from "../answer.js";
import type { CallOptions } from "../guard.js";
import { type Outcome, type Refusal, refusal } from "../refusal.js";
import { anyOf, withMember } from "../tools.js";
import type { Elicitation, InputRequired, RequestContext, RequestStateCodec } from "./protocol.js";
import { KEY, mintState, readState, type SentCall } from "./request-state.js";

/** How a call that needs approval waits for it, while the user of the client is told where it is decided. */
export interface ApprovalOptions {
  /** Where people decide about an approval, such as the inbox of the console. */
  readonly address: (approvalId: string) => string | URL;
  /** Signs what the client sends back: `createRequestStateCodec` of the server's library, with the key of all its processes. */
  readonly requestState: RequestStateCodec;
}

/** Makes the call, or says why not. */
export type Make<R> = (context: RequestContext, options: CallOptions) => Promise<Outcome<R>>;

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
/** The most answers that have the client come again. Clients take ten of them at most, and fail then. */
const MOST_ROUNDS = 7;
/** How long the user of a client before 2026-07-28 may take to answer, in ms. */
const ANSWER_MS = 600_000;
const NO_CAPABILITY = "CAPABILITY_NOT_SUPPORTED";

/** Makes a call that may wait for approval. What the user of the client answers approves nothing: Reeve is asked anew. */
export async function callAsking<R>(
  { address, requestState: codec }: ApprovalOptions,
  call: SentCall,
  make: Make<R>,
): Promise<Outcome<R> | InputRequired> {
  const { context } = call;
  const { mcpReq } = context;
  const state = await readState(codec, call);
  if (state && "refused" in state) return state;
  const answer = record(mcpReq.inputResponses?.[KEY])?.action;
  if (state && (answer ?? "accept") !== "accept") return declined(state.approvalId);
  const first = state
    ? await make(withoutOwn(context), { approvalId: state.approvalId })
    : await make(context, { waitMs: 0 });
  if (!isWaiting(first)) return first;
  const { approvalId } = first;
  const at = String(address(approvalId));
  const waiting = (refused: Refusal) => ({
    ...refused,
    address: at,
    message: `${refused.message} It is decided at ${at}`,
  });
  if (mcpReq.envelope?.[VERSION] !== undefined) {
    const round = state ? state.round + 1 : 1;
    const request = elicitationsOf(first, at).find(({ mode }) => takes(mcpReq.envelope, mode)) as
      | Elicitation
      | undefined;
    if (round > MOST_ROUNDS || !request) return waiting(first);
    const requestState = await mintState(codec, call, { approvalId, round });
    const asked = { [KEY]: { method: "elicitation/create" as const, params: request } };
    // The user is asked once. Later answers have the client come again by itself.
    return { resultType: "input_required", ...(state ? {} : { inputRequests: asked }), requestState };
  }
  const action = await elicit(call, elicitationsOf(first, at));
  if (action === undefined) return waiting(first);
  if (action !== "accept") return declined(approvalId);
  const second = await make(context, { approvalId });
  return isWaiting(second) ? waiting(second) : second;
}

const isWaiting = (outcome: Outcome<unknown>): outcome is Refusal & { readonly approvalId: string } =>
  outcome.refused && outcome.code === "waits_for_approval" && outcome.approvalId !== undefined;

const declined = (approvalId: string) =>
  refusal("declined", "The user of the client does not want it any longer, so it was not made.", { approvalId });

type Form = Extract<Elicitation, { mode: "form" }>;
type Way = Form | Omit<Extract<Elicitation, { mode: "url" }>, "elicitationId">;

/** What the user is asked, the best way first. */
function elicitationsOf({ message }: Refusal, url: string): readonly Way[] {
  const means = "To accept is to wait, and approves nothing: somebody else decides.";
  return [
    { mode: "url", message: `${message} ${means}`, url },
    {
      mode: "form",
      message: `${message} ${means} It is decided at ${url}`,
      requestedSchema: { type: "object", properties: {} },
    },
  ];
}

/** Whether the client of a request takes elicitations of a mode. One that names no mode takes forms. */
function takes(envelope: RequestContext["mcpReq"]["envelope"], mode: Elicitation["mode"]): boolean {
  const modes = record(record(envelope?.[CAPABILITIES])?.elicitation);
  if (!modes) return false;
  return modes[mode] !== undefined || (mode === "form" && modes.url === undefined);
}

/** Asks a client of before 2026-07-28, which answers within the call. `undefined` for one that takes no elicitation. */
async function elicit({ guard, context }: SentCall, ways: readonly Way[]): Promise<string | undefined> {
  const { mcpReq } = context;
  const options = { relatedRequestId: mcpReq.id, timeout: ANSWER_MS, signal: anyOf(mcpReq.signal, guard.signal) };
  for (const way of ways)
    try {
      const sent = way.mode === "url" ? { ...way, elicitationId: crypto.randomUUID() } : way;
      return (await mcpReq.elicitInput(sent, options)).action;
    } catch (error) {
      guard.signal.throwIfAborted();
      if (record(error)?.code !== NO_CAPABILITY) return undefined;
    }
  return undefined;
}

/** A context whose handler sees neither the state nor the answer that are meant for this guard. */
function withoutOwn(context: RequestContext): RequestContext {
  const { [KEY]: _own, ...inputResponses } = context.mcpReq.inputResponses ?? {};
  const mcpReq = withMember(context.mcpReq, "inputResponses", inputResponses);
  return withMember(
    context,
    "mcpReq",
    withMember(mcpReq, "requestState", () => undefined),
  );
}
