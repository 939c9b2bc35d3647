import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A call of a tool that the model asks for. */
export interface Call {
  readonly name: string;
  /** Where the tools of an MCP server are named within a space of their own. */
  readonly namespace?: string;
  readonly input: object;
}

/** The next call after what the earlier ones have resulted in, the newest last. `undefined` ends the conversation. */
export type Script = (results: readonly string[]) => Promise<Call | undefined>;

interface Event {
  readonly type?: string;
  readonly [member: string]: unknown;
}

/**
 * A model on loopback that speaks as those of Anthropic, OpenAI (`/v1/responses`) and Google do, by a script. `offered` is
 * given the names of the tools that the client offers.
 */
export async function scriptedModel(script: Script, offered: Set<string> = new Set()): Promise<string> {
  const asked = new Map<number, Promise<Call | undefined>>();
  // A client may ask twice after the same results; what a step does is done once.
  const next = (results: readonly string[]) => {
    const at = asked.get(results.length) ?? script(results);
    asked.set(results.length, at);
    return at;
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    for (const name of toolsIn(body)) offered.add(name);
    const events = await eventsFor(request.url?.split("?")[0], body, next);
    if (events) send(response, events);
    else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The names of the tools that a request offers, also of those within a space of their own. */
function toolsIn(body: string): string[] {
  const { tools = [] } = body === "" ? {} : JSON.parse(body);
  const named = ({ name, type, functionDeclarations, tools: inner }: Record<string, unknown>): unknown[] =>
    [functionDeclarations ?? inner ?? []]
      .flat()
      .flatMap((one) => named(Object(one)))
      .concat(functionDeclarations || inner ? [] : [name ?? type]);
  return tools.flatMap(named).map(String);
}

async function eventsFor(path: string | undefined, body: string, next: Script): Promise<Event[] | undefined> {
  if (path === "/v1/messages") {
    const { messages, model, tools = [] } = JSON.parse(body);
    const parts = messages.flatMap(({ content }: { content: unknown }) => content);
    // Without tools the client asks for something else, such as a title.
    return messageEvents(
      model,
      tools.length === 0 ? undefined : await next(resultsIn(ofType(parts, "tool_result"), "content")),
    );
  }
  if (path?.endsWith(":streamGenerateContent")) {
    const parts = JSON.parse(body).contents.flatMap(({ parts }: { parts: unknown }) => parts);
    return [generated(await next(resultsIn(parts, "functionResponse")))];
  }
  if (path !== "/v1/responses") return undefined;
  const results = resultsIn(ofType(JSON.parse(body).input, "function_call_output"), "output");
  return responseEvents(results.length, await next(results));
}

type Parts = readonly Record<string, unknown>[];

const ofType = (parts: Parts, type: string): Parts => parts.filter((part) => part.type === type);

const resultsIn = (parts: Parts, member: string): string[] =>
  parts.flatMap((part) => (part[member] === undefined ? [] : [JSON.stringify(part[member])]));

function messageEvents(model: string, call: Call | undefined): Event[] {
  const block = call
    ? { type: "tool_use", id: `toolu_${crypto.randomUUID()}`, name: call.name, input: {} }
    : { type: "text", text: "" };
  const delta = call
    ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) }
    : { type: "text_delta", text: "Over." };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const empty = { id: "msg_1", type: "message", role: "assistant", model, content: [], usage };
  return [
    { type: "message_start", message: { ...empty, stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: "message_stop" },
  ];
}

function responseEvents(made: number, call: Call | undefined): Event[] {
  const { input, ...named } = call ?? { input: {} };
  const item = call
    ? {
        ...{ type: "function_call", id: `fc_${made}`, call_id: `call_${made}` },
        ...{ ...named, arguments: JSON.stringify(input) },
      }
    : { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Over." }] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return [
    { type: "response.created", response: { id: `resp_${made}` } },
    { type: "response.output_item.done", output_index: 0, item },
    // Copilot CLI reads what was answered from the last event alone.
    { type: "response.completed", response: { id: `resp_${made}`, status: "completed", output: [item], usage } },
  ];
}

function generated(call: Call | undefined): Event {
  const part = call ? { functionCall: { name: call.name, args: call.input } } : { text: "Over." };
  const content = { role: "model", parts: [part] };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return { candidates: [{ index: 0, content, finishReason: "STOP" }], usageMetadata };
}

function send(response: ServerResponse, events: readonly Event[]): void {
  response.setHeader("content-type", "text/event-stream");
  // Google's client reads no names of events.
  const named = (event: Event) => (event.type === undefined ? "" : `event: ${event.type}\n`);
  response.end(events.map((event) => `${named(event)}data: ${JSON.stringify(event)}\n\n`).join(""));
}
