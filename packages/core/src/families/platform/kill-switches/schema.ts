import { z } from "zod";
import { defineCollection } from "../../../kernel/collection.js";
import { Time } from "../../../kernel/record.js";

/** Switches that stop a whole kind of work, and what each stops. Switches for one tenant or asset add its id. */
export const KILL_SWITCHES = {
  registration: "New tenants",
  signin: "Sign-in and token issue",
  "connectors.outbound": "Every call of a connector to the outside",
  "access.provision": "Provisioning of access",
  "agent_tools.execute": "Execution through agent-tool tokens",
  "ai.all": "Every AI asset of every tenant",
  "ai.agents": "Every agent",
  "ai.mcp": "Every MCP server",
  "support.sql": "The SQL console",
} as const;

export const KillSwitch = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  status: z.enum(["released", "engaged"]),
});
export type KillSwitch = z.output<typeof KillSwitch>;

/** Switches that have ever been touched, by key; a key without a row is released. Rows belong to the platform. */
export const killSwitches = defineCollection<KillSwitch>({
  name: "kill_switches",
  prefix: null,
  schema: KillSwitch,
  secrets: [],
});
