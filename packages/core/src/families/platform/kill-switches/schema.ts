import { defineCollection } from "#kernel/records/collection.js";
import { statesOf } from "#kernel/records/machine.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { killSwitchStatus } from "./machine.js";

/** Switches for a whole kind of work, and what each stops. */
export const KILL_SWITCHES = {
  registration: "New tenants",
  signin: "Sign-in and token issue",
  "saml.signon": "Sign-on to applications by SAML",
  "connectors.outbound": "Every call of a connector to the outside, and every probe of an MCP server",
  "access.provision": "Provisioning of access",
  "agent_tools.execute": "Execution through agent-tool tokens",
  "ai.all": "Every AI asset of every tenant",
  "ai.agents": "Every agent",
  "ai.mcp": "Every MCP server",
  "support.sql": "The SQL console",
} as const;

/** Prefixes of switches for one tenant or one asset. The id follows. */
export const TARGETED_SWITCHES = {
  "ai.tenant.": "Every AI asset of one tenant",
  "ai.asset.": "One AI asset",
} as const;

const KillSwitch = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  createdBy: z.string(),
  updatedAt: Time,
  updatedBy: z.string(),
  status: z.enum(statesOf(killSwitchStatus)),
  reason: z.string().nullable(),
  /** The tenant that a targeted switch concerns. */
  tenantId: z.string().nullable(),
});
export type KillSwitch = z.output<typeof KillSwitch>;

/** Switches that were ever used, by key. A key without a row is released. Rows belong to the platform. */
export const killSwitches = defineCollection<KillSwitch>({
  name: "kill_switches",
  prefix: null,
  broadcast: true,
  schema: KillSwitch,
  resource: { type: "kill_switch", event: "kill_switch", path: "/api/v1/support/kill-switches" },
  machines: { status: killSwitchStatus },
  fields: { status: { type: "text" } },
  indexes: [{ where: ["status"] }],
});
