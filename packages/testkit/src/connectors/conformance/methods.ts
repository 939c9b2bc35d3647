import {
  CAPABILITIES,
  type Capability,
  type CapabilityMethod,
  type Connector,
  type ConnectorContext,
  WRITES,
} from "@reeve/core/connectors";
import type { ConformanceTarget } from "./target.js";

/** A call of one method with arguments that are valid for the target. */
export interface MethodCall {
  readonly name: string;
  readonly capability: Capability;
  readonly method: CapabilityMethod;
  readonly write: boolean;
  readonly given: readonly unknown[];
}

const PAGE = { limit: 100 };

/** A call of every method that the connector has. */
export function methodCalls(connector: Connector, target: ConformanceTarget): readonly MethodCall[] {
  return connector.manifest.capabilities.flatMap((capability) =>
    givenTo(capability, connector, target).map((given) => {
      const { method } = CAPABILITIES[capability];
      const about = typeof given[0] === "string" ? ` of ${given[0]}` : "";
      return { name: `${method}${about}`, capability, method, write: WRITES.has(capability), given };
    }),
  );
}

/** Calls a method directly, for those who want to see its own promise. */
export function invoke(connector: Connector, ctx: ConnectorContext, { method, given }: MethodCall): Promise<unknown> {
  return (connector[method] as (...all: unknown[]) => Promise<unknown>)(ctx, ...given);
}

function givenTo(
  capability: Capability,
  { manifest: { resourceTypes = [] } }: Connector,
  { access, principals, usage, credentials, tools = [], sessions }: ConformanceTarget,
): readonly (readonly unknown[])[] {
  const [wanted] = access?.wanted ?? [];
  const cases: Readonly<Record<Capability, () => readonly (readonly unknown[])[]>> = {
    test: () => [[]],
    discover: () => [[PAGE]],
    resources: () => resourceTypes.map(({ type }) => [type, PAGE]),
    profiles: () => resourceTypes.map(({ type }) => [{ resourceType: type }, PAGE]),
    observe: () => [[{}, PAGE]],
    grant: () => (wanted ? [[wanted]] : []),
    revoke: () => (wanted ? [[wanted]] : []),
    modify: () => (wanted && access?.changed ? [[wanted, access.changed]] : []),
    verify: () => (wanted ? [[wanted]] : []),
    principals: () => (principals ? [[principals.there]] : []),
    usage: () => (usage ? [[usage, PAGE]] : []),
    credentials: () => (credentials ? [[credentials, PAGE]] : []),
    tools: () => tools.map((call) => [call]),
    sessions: () => (sessions ? [[sessions.principal]] : []),
  };
  return cases[capability]();
}
