import type { Logger } from "@reeve/core";
import type { Connector, InstanceParts } from "@reeve/core/connectors";
import { type InstanceMemory, instanceMemory } from "./memory.js";
import { type RecordedEgress, recordedEgress } from "./outgoing.js";

/** A line that a connector has logged. */
export interface LogLine {
  readonly level: keyof Logger;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** An instance for tests. */
export interface ConnectorPartsOptions {
  /** As somebody would send it; none when absent. It is checked and parsed as the control plane does. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Checked and parsed likewise. They count for new memory only. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Hosts, addresses and networks that may be called, such as `127.0.0.1/32`. Public https always may. */
  readonly allow?: readonly string[];
  /** Memory of other parts, for the same instance in another process. */
  readonly memory?: InstanceMemory;
  /** Called before each call to the outside; always allows it when absent. */
  readonly admit?: () => Promise<void>;
}

/** Parts of an instance in memory, and what its connector did with them. */
export interface ConnectorParts extends InstanceParts {
  readonly memory: InstanceMemory;
  readonly egress: RecordedEgress;
  /** What the connector has logged, already masked. */
  readonly lines: readonly LogLine[];
}

/** Everything that a call of `connector` needs, in memory. Throws `ZodError` for a configuration that is not valid. */
export function connectorParts(connector: Connector, options: ConnectorPartsOptions = {}): ConnectorParts {
  const { config = {}, secrets = {}, allow = [], admit = async () => undefined } = options;
  const parsed = connector.configuration.parse(config);
  const memory = options.memory ?? instanceMemory(connector.secrets.parse(secrets) as Record<string, string>);
  const lines: LogLine[] = [];
  const write = (level: keyof Logger) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, fields, message });
  return {
    tenantId: "tnt_test",
    instanceId: "ci_test",
    config: parsed,
    memory,
    secrets: memory.secrets,
    state: memory.state,
    egress: recordedEgress(allow),
    logger: { info: write("info"), warn: write("warn"), error: write("error") },
    lines,
    admit,
  };
}
