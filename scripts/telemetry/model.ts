import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A call of a tool that the model asks for. */
export interface Call {
  readonly name: string;
  readonly namespace?: string;
  readonly input: object;
}

/** What a model has answered, by its own count. */
export interface Counted {
  readonly model: string;
  readonly isStream: boolean;
  readonly isRefused: boolean;
}

/** Every answer of it: 11 tokens are read, 3 of them from a cache, and 7 written, 2 of them reasoning. */
export const TOKENS = { input: 11, cached: 3, output: 7, reasoning: 2 } as const;

type Json = Record<string, unknown>;
interface Asked {
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: requests of four protocols, as their clients send them
  readonly body: any;
  readonly id: number;
}
/** An answer: an object, or the events of a stream. */
type Answer = Json | readonly (Json | "[DONE]")[];

/**
 * A model on loopback that speaks as those of OpenAI (both APIs), Anthropic and Google do. `calls` are asked for in their
 * order; without them the first tool that is offered is.
 */
export async function startModel(calls?: readonly Call[]) {
  const counted: Counted[] = [];
  const server = createServer(async (request, response) => {
    const asked = await askedOf(request, counted.length + 1);
    const model = String(asked.body.model ?? /models\/([^:]+)/.exec(asked.path)?.[1] ?? "");
    const isRefused = model === "broken";
    const answer = isRefused ? undefined : answerTo(asked, calls);
    if (answer || isRefused) counted.push({ model, isStream: Array.isArray(answer), isRefused });
    send(response, answer, isRefused);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, counted, close };
}

async function askedOf(request: IncomingMessage, id: number): Promise<Asked> {
  const body = await text(request);
  return { path: request.url?.split("?")[0] ?? "", body: body === "" ? {} : JSON.parse(body), id };
}

function send(response: ServerResponse, answer: Answer | undefined, isRefused: boolean): void {
  response.setHeader("content-type", Array.isArray(answer) ? "text/event-stream" : "application/json");
  response.setHeader("request-id", `req_${crypto.randomUUID()}`);
  if (isRefused) response.writeHead(400).end('{"error":{"message":"canary-error","type":"invalid_request_error"}}');
  else if (!answer) response.writeHead(404).end("{}");
  else if (!Array.isArray(answer)) response.end(JSON.stringify(answer));
  else
    response.end(
      answer
        .map((event: Json | "[DONE]") =>
          event === "[DONE]"
            ? "data: [DONE]\n\n"
            : `${event.type === undefined ? "" : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`,
        )
        .join(""),
    );
}

function answerTo(asked: Asked, calls: readonly Call[] | undefined): Answer | undefined {
  const { path } = asked;
  if (path.endsWith("/chat/completions")) return chat(asked);
  if (path.endsWith("/responses")) return responses(asked, calls);
  if (path === "/v1/messages") return messages(asked, calls);
  if (/:(?:stream)?generateContent$/i.test(path)) return generated(asked, calls);
  return undefined;
}

const offered = (name: string | undefined): Call | undefined =>
  name === undefined ? undefined : { name, input: { place: "canary-argument" } };

function chat({ body, id }: Asked): Answer {
  const isDone = body.messages.some((one: Json) => one.role === "tool");
  const call = isDone ? undefined : offered(body.tools?.[0]?.function?.name);
  const asks = call && {
    tool_calls: [
      {
        index: 0,
        id: `call_${id}`,
        type: "function",
        function: { name: call.name, arguments: JSON.stringify(call.input) },
      },
    ],
  };
  const message = { role: "assistant", content: call ? null : "canary-answer", ...asks };
  const finish_reason = call ? "tool_calls" : "stop";
  const base = { id: `chatcmpl-${id}`, created: 1, model: "scripted-1" };
  const usage = {
    ...{ prompt_tokens: TOKENS.input, completion_tokens: TOKENS.output, total_tokens: 18 },
    prompt_tokens_details: { cached_tokens: TOKENS.cached },
    completion_tokens_details: { reasoning_tokens: TOKENS.reasoning },
  };
  if (!body.stream)
    return { ...base, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage };
  const chunk = (choices: readonly Json[], more = {}) => ({
    ...base,
    object: "chat.completion.chunk",
    choices,
    ...more,
  });
  return [
    chunk([{ index: 0, delta: message, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason }]),
    ...(body.stream_options?.include_usage ? [chunk([], { usage })] : []),
    "[DONE]",
  ];
}

function responses({ body, id }: Asked, calls: readonly Call[] | undefined): Answer {
  const results = [body.input].flat().filter((part: Json) => part?.type === "function_call_output").length;
  const first = () => offered(body.tools?.find((tool: Json) => tool.type === "function")?.name as string | undefined);
  const call = calls ? calls[results] : results === 0 ? first() : undefined;
  const { input, ...named } = call ?? { input: {} };
  const item = call
    ? {
        type: "function_call",
        id: `fc_${id}`,
        call_id: `call_${id}`,
        ...named,
        arguments: JSON.stringify(input),
        status: "completed",
      }
    : {
        ...{ type: "message", id: `msg_${id}`, role: "assistant", status: "completed" },
        content: [{ type: "output_text", text: "canary-answer", annotations: [] }],
      };
  const usage = {
    ...{ input_tokens: TOKENS.input, output_tokens: TOKENS.output, total_tokens: 18 },
    input_tokens_details: { cached_tokens: TOKENS.cached },
    output_tokens_details: { reasoning_tokens: TOKENS.reasoning },
  };
  const response = {
    ...{ id: `resp_${id}`, object: "response", created_at: 1, status: "completed", model: "scripted-1" },
    ...{
      output: [item],
      usage,
      error: null,
      incomplete_details: null,
      parallel_tool_calls: true,
      tools: [],
      metadata: {},
    },
  };
  if (!body.stream) return response;
  return [
    { type: "response.created", response: { ...response, output: [], status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ];
}

/** Anthropic counts what came from the cache beside the input. */
function messages({ body, id }: Asked, calls: readonly Call[] = []): Answer {
  const parts = body.messages.flatMap(({ content }: Json) => content);
  const results = parts.filter((part: Json) => part.type === "tool_result").length;
  const call = body.tools?.length ? calls[results] : undefined;
  const block = call ? { type: "tool_use", id: `toolu_${id}`, name: call.name, input: {} } : { type: "text", text: "" };
  const delta = call
    ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) }
    : { type: "text_delta", text: "canary-answer" };
  const usage = {
    ...{ input_tokens: TOKENS.input - TOKENS.cached, output_tokens: 1 },
    ...{ cache_read_input_tokens: TOKENS.cached, cache_creation_input_tokens: 0 },
  };
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model: body.model, content: [], usage };
  return [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: TOKENS.output },
    },
    { type: "message_stop" },
  ];
}

/** Google counts reasoning beside the output. */
function generated({ path, body, id }: Asked, calls: readonly Call[] = []): Answer {
  const parts = body.contents.flatMap(({ parts }: Json) => parts);
  const call = body.tools ? calls[parts.filter((part: Json) => part.functionResponse).length] : undefined;
  const part = call ? { functionCall: { name: call.name, args: call.input } } : { text: "canary-answer" };
  const usageMetadata = {
    ...{ promptTokenCount: TOKENS.input, candidatesTokenCount: TOKENS.output - TOKENS.reasoning },
    ...{ cachedContentTokenCount: TOKENS.cached, thoughtsTokenCount: TOKENS.reasoning, totalTokenCount: 18 },
  };
  const candidates = [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }];
  const modelVersion = /models\/([^:]+)/.exec(path)?.[1];
  const answer = { responseId: `g_${id}`, modelVersion, candidates, usageMetadata };
  return path.includes("stream") ? [answer] : answer;
}
