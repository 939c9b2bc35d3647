import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { tool } from "@langchain/core/tools";
import { runEndedOf } from "@reeve/guard";
import { guardMiddleware, guardTools, runOptions } from "@reeve/guard/langchain";
import { createAgent } from "langchain";
import { type Driver, objectOf, SCHEMAS, type ScriptedCall, TOOL_NAMES, type Tools } from "../story/driver.js";

/** A scripted model of LangChain. */
export class ScriptedChat extends BaseChatModel {
  told: string[] = [];
  modelCalls = 0;

  constructor(
    readonly calls: readonly ScriptedCall[],
    readonly tools: Tools,
  ) {
    super({});
  }

  _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.told = messages.flatMap((message) => (message.type === "tool" ? [String(message.content)] : []));
    const call = this.calls[this.modelCalls];
    this.modelCalls += 1;
    await this.tools.asked();
    const asked = call && { type: "tool_call" as const, id: `call-${this.modelCalls}`, name: call.tool };
    const message = new AIMessage(
      asked ? { content: "", tool_calls: [{ ...asked, args: objectOf(call) }] } : { content: "done" },
    );
    return { generations: [{ text: message.text, message }] };
  }
}

/** An agent of `langchain` with tools of `@langchain/core`, taken whole or piece by piece. */
function agentOf(how: "invoke" | "stream"): Driver {
  return {
    name: `${how} of langchain`,
    async play(guard, calls, tools) {
      const model = new ScriptedChat(calls, tools);
      const own = TOOL_NAMES.map((name) =>
        tool((args: object, config) => tools.run(name, args, config.signal), {
          name,
          description: name,
          schema: SCHEMAS[name],
        }),
      );
      const agent = createAgent({ model, tools: guardTools(guard, own), middleware: [guardMiddleware(guard)] });
      const given = [{ messages: "Do it." }, runOptions(guard)] as const;
      let ended: unknown;
      try {
        if (how === "invoke") await agent.invoke(...given);
        else for await (const _piece of await agent.stream(...given));
      } catch (error) {
        ended = runEndedOf(error) ?? error;
      }
      return { told: model.told, modelCalls: model.modelCalls, ended };
    },
  };
}

export const langchain = agentOf("invoke");
export const langchainStream = agentOf("stream");
