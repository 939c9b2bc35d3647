import { defineArea } from "#families/area.js";
import { agentsResource } from "./agents/resource.js";
import { assetsResource } from "./assets/resource.js";
import { estateEvents } from "./events.js";
import { haltsResource } from "./halts/resource.js";
import { identitiesResource } from "./identities/resource.js";
import { importResource } from "./import/resource.js";
import { mcpServersResource } from "./mcp-servers/resource.js";
import { modelsResource } from "./models/resource.js";
import { recordsResource } from "./records/resource.js";
import { registryResource } from "./registry/resource.js";
import { toolsResource } from "./tools/resource.js";

/** The governed AI assets of an organisation, with their typed records. */
export const estate = defineArea({
  name: "estate",
  resources: [
    registryResource,
    importResource,
    assetsResource,
    agentsResource,
    toolsResource,
    identitiesResource,
    modelsResource,
    mcpServersResource,
    haltsResource,
    recordsResource,
  ],
  events: estateEvents,
});
