import { type Connector, defineConnector } from "@reeve/core/connectors";
import { configuration, manifest, secrets } from "./manifest.js";
import { discoverModels, testEndpoint } from "./models.js";

/** Finds the models of any endpoint that lists them as OpenAI does, at `GET <baseUrl>/models`. */
export function openAiCompatible(): Connector {
  return defineConnector({
    manifest,
    configuration,
    secrets,
    testConnection: testEndpoint,
    discoverAssets: discoverModels,
  });
}
