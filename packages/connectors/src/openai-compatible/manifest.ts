import type { ConnectorContext, Manifest } from "@reeve/core/connectors";
import { z } from "zod";
import { BaseUrl, HeaderSecret, Words } from "../fields.js";

export const configuration = z.object({
  baseUrl: BaseUrl.meta({
    description: "Address of the API, up to and without `/models`.",
    examples: ["https://models.example.com/v1"],
  }),
  provider: Words(200).optional().meta({
    description: "Who runs the endpoint. The owner that the endpoint names for each model when absent.",
  }),
});

export const secrets = z.object({
  apiKey: HeaderSecret.optional().meta({ description: "Sent as a bearer token." }),
});

export type Endpoint = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;

export const manifest: Manifest = {
  providerKey: "openai-compatible",
  interfaceVersion: 1,
  version: "1.0.0",
  displayName: "OpenAI-compatible endpoint",
  category: "model",
  description: "Finds the models that an endpoint offers: OpenAI itself, vLLM, Ollama, LiteLLM and many more.",
  docsUrl: "https://platform.openai.com/docs/api-reference/models/list",
  capabilities: ["test", "discover"],
  requiredPermissions: [
    { capability: "test", permission: "GET /models", why: "A test counts the models." },
    { capability: "discover", permission: "GET /models", why: "It lists the models that the key may use." },
  ],
  limitations: [
    "It sees the models that its key may use, and no others.",
    "The interface has no pages: an endpoint that answers more than 8 MiB is not read.",
    "Models that come and go while the list is read in parts may be missed until it is read again.",
  ],
};
