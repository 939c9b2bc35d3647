import { accessSamples } from "./access.js";
import { accessRequestSamples } from "./access-requests.js";
import { accessUseSamples } from "./access-use.js";
import { agentToolSamples } from "./agent-tools.js";
import { certificationSamples } from "./certification-samples.js";
import { connectorWorkSamples } from "./connector-imports.js";
import { connectorSamples } from "./connectors.js";
import { doorSamples } from "./doors.js";
import { enforcementSamples } from "./enforcement.js";
import { noticeSamples } from "./notices.js";

/** The samples of operations about connected systems, and about access to them. */
export const connectedSamples = {
  ...connectorSamples,
  ...connectorWorkSamples,
  ...accessSamples,
  ...accessUseSamples,
  ...accessRequestSamples,
  ...agentToolSamples,
  ...enforcementSamples,
  ...doorSamples,
  ...noticeSamples,
  ...certificationSamples,
} as const;
