#!/usr/bin/env bash
# AI SDK 7.0.173 (`ai`): what a tool throws reaches the model with the name of its error, where 6.0.325 gave the message alone.
#
# A guard that denies a call throws an error whose message tells the model what to do next. By the same code, the same mock model and the same tool, version 6 hands the model the
# message and version 7 `String(error)`. Tests that compare the text fail after the upgrade, and names of classes reach the model: a name that tells of the inside belongs into
# no error that a tool throws.
# Seen on Node 20.20:
#   ai 6.0.325 => {"type":"error-text","value":"ask for approval"}
#   ai 7.0.173 => {"type":"error-text","value":"AccessDenied: ask for approval"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund ai6@npm:ai@6.0.325 ai7@npm:ai@7.0.173 zod@4.6.7
cat >run.mjs <<'JS'
import { z } from "zod";
class AccessDenied extends Error {
  name = "AccessDenied";
}
for (const version of ["ai6", "ai7"]) {
  const { generateText, tool } = await import(version);
  const { MockLanguageModelV3 } = await import(`${version}/test`);
  const prompts = [];
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      prompts.push(prompt);
      const call = { type: "tool-call", toolCallId: "1", toolName: "read", input: "{}" };
      const isFirst = prompts.length === 1;
      return {
        content: [isFirst ? call : { type: "text", text: "done" }],
        finishReason: { unified: isFirst ? "tool-calls" : "stop" },
        ...{ usage, warnings: [] },
      };
    },
  });
  const read = tool({
    inputSchema: z.object({}),
    execute: async () => {
      throw new AccessDenied("ask for approval");
    },
  });
  await generateText({ model, prompt: "Begin.", tools: { read }, stopWhen: () => prompts.length > 1 });
  const [result] = prompts[1].at(-1).content;
  console.log(version, JSON.stringify(result.output));
}
JS
seen=$(node run.mjs 2>/dev/null)
echo "$seen"
[ "$seen" = 'ai6 {"type":"error-text","value":"ask for approval"}
ai7 {"type":"error-text","value":"AccessDenied: ask for approval"}' ]
