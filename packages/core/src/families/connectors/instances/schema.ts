import { ENVIRONMENTS } from "#families/estate/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Attributes } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { READ_ONLY, recordShape } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import {
  GOVERNANCE_MODES,
  InstanceConfiguration,
  InstanceFields,
  Maintenance,
  ObservedFields,
  ShownSecrets,
} from "./fields.js";
import { instanceHealth } from "./health/machine.js";
import { instanceStatus } from "./machine.js";

/** A connection to a system, as it is stored and served. An integration is the same record. */
export const ConnectorInstance = z
  .object({
    ...recordShape(z.enum(statesOf(instanceStatus))),
    providerKey: z.string().meta({ description: "Which connector it is of." }),
    ...InstanceFields.shape,
    configuration: InstanceConfiguration,
    secrets: ShownSecrets,
    ...ObservedFields.shape,
    health: z.enum(statesOf(instanceHealth)).meta({ description: "How it works, apart from `status`." }),
    maintenance: Maintenance.nullable().meta({ description: "Until when it is left alone, and why." }),
    attributes: Attributes,
  })
  .meta({ id: "ConnectorInstance" });
export type ConnectorInstance = z.output<typeof ConnectorInstance>;

/** Properties of an instance that a body may repeat but not change. */
export const INSTANCE_READ_ONLY = [...READ_ONLY, ...Object.keys(ObservedFields.shape), "health"] as const;

/** Connections to systems. */
export const instances = defineCollection<ConnectorInstance>({
  name: "connector_instances",
  prefix: "ci",
  schema: ConnectorInstance,
  resource: {
    type: "connector_instance",
    event: "connector.instance",
    path: "/api/v1/connector-instances",
    alsoAt: ["/api/v1/integrations", "/api/v1/catalog/instances", "/api/v1/access-targets"],
  },
  machines: { status: instanceStatus, health: instanceHealth },
  fields: {
    status: { type: "text" },
    health: { type: "text" },
    providerKey: { type: "text" },
    /** For counts of both at once. */
    providerHealth: { type: "text", of: ({ providerKey, health }) => `${providerKey} ${health}` },
    environment: { type: "text" },
    governanceMode: { type: "text" },
    name: { type: "text", compare: "caseless" },
    updatedAt: { type: "time" },
    maintenanceUntil: {
      type: "time",
      of: ({ status, maintenance }) => (status === "maintenance" ? (maintenance?.until ?? null) : null),
    },
  },
  unique: { name: ["name"] },
  indexes: [
    { where: ["status"] },
    { where: ["providerKey"] },
    { where: [], by: "name" },
    { where: [], by: "updatedAt" },
    { where: [], by: "maintenanceUntil", partial: true },
  ],
  filters: {
    status: { values: statesOf(instanceStatus), changesAt: "maintenanceUntil" },
    health: { values: statesOf(instanceHealth) },
    providerKey: { description: "Key of the connector." },
    environment: { values: ENVIRONMENTS },
    governanceMode: { values: GOVERNANCE_MODES },
  },
  orders: { name: "name", updatedAt: "updatedAt" },
  counted: ["status", "health", "providerKey", "providerHealth"],
  retain: true,
  search: ({ name, providerKey }) => `${name} ${providerKey}`,
  timeTransition: {
    by: "maintenanceUntil",
    machine: instanceStatus,
    event: "maintenance_over",
    reason: "The time set for its maintenance was over.",
    patch: () => ({ maintenance: null }),
  },
});
