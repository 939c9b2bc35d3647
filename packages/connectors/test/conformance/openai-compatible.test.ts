import { LLMock } from "@copilotkit/aimock";
import { type ConformanceTarget, connectorConformance } from "@reeve/testkit/connectors";
import { openAiCompatible } from "../../src/openai-compatible/index.js";

const MODELS = ["alpha", "beta", "gamma", "delta", "epsilon"];

async function endpoint(): Promise<ConformanceTarget> {
  const mock = new LLMock({ port: 0, logLevel: "silent" });
  for (const model of MODELS) mock.on({ model }, { content: "-" });
  const { port } = new URL(await mock.start());
  return {
    address: { host: "127.0.0.1", port: Number(port) },
    config: ({ host, port: at }) => ({ baseUrl: `http://${host}:${at}/v1` }),
    reset: async () => undefined,
    observe: async () => ({ assets: MODELS }),
    close: () => mock.stop(),
  };
}

connectorConformance(openAiCompatible(), endpoint, {
  skips: [
    { case: "what is renamed keeps its id", reason: "the name of a model is its id" },
    {
      case: "wrong credentials are refused as auth by every method that calls the target",
      reason: "the published mock asks for no key; another test refuses one",
    },
  ],
});
