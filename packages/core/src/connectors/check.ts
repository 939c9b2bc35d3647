import { valid } from "semver";
import { CAPABILITIES, type Capability } from "./capabilities.js";
import type { Connector } from "./connector.js";
import { publishedSchema } from "./publish.js";

const KEY = /^[a-z][a-z0-9-]{1,49}$/;
const HOST = /^(\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+$/;
const NAMES = Object.keys(CAPABILITIES) as Capability[];

/** Everything that is wrong with a connector, in sentences. */
export function mistakesOf(connector: Connector): readonly string[] {
  return [
    ...mistakesOfNames(connector),
    ...mistakesOfCapabilities(connector),
    ...mistakesOfSchemas(connector),
    ...mistakesOfTypes(connector),
    ...mistakesOfTools(connector),
  ];
}

function mistakesOfNames({ manifest }: Connector): string[] {
  const { providerKey, version, interfaceVersion, egressHosts = [], limits } = manifest;
  return [
    ...(KEY.test(providerKey) ? [] : ["providerKey: use 2 to 50 lower-case letters, digits and dashes"]),
    ...(valid(version) ? [] : ["version: it is no semantic version"]),
    ...(interfaceVersion === 1 ? [] : ["interfaceVersion: only 1 is known"]),
    ...egressHosts.filter((host) => !HOST.test(host)).map((host) => `egressHosts: ${host} is no host name`),
    ...outOfRange("limits.concurrency", limits?.concurrency, 1, 64),
    ...outOfRange("limits.callSeconds", limits?.callSeconds, 1, 60),
    ...outOfRange("limits.propagationSeconds", limits?.propagationSeconds, 0, 86_400),
  ];
}

function outOfRange(name: string, value: number | undefined, least: number, most: number): string[] {
  return value === undefined || (value >= least && value <= most) ? [] : [`${name}: use ${least} to ${most}`];
}

function mistakesOfCapabilities(connector: Connector): string[] {
  const { capabilities, requiredPermissions = [], expiry, usage, tools = [] } = connector.manifest;
  const claimed = new Set<string>(capabilities);
  const differing = NAMES.flatMap((name) => {
    const { method } = CAPABILITIES[name];
    const built = typeof connector[method] === "function";
    if (built === claimed.has(name)) return [];
    return [
      built
        ? `capabilities: ${name} is missing, which ${method} implements`
        : `${method}: ${name} is claimed and not implemented`,
    ];
  });
  return [
    ...differing,
    ...capabilities.filter((name) => !NAMES.includes(name)).map((name) => `capabilities: ${name} is not known`),
    ...needs(claimed, "grant", "revoke"),
    ...needs(claimed, "modify", "grant"),
    ...needs(claimed, "grant", "profiles"),
    ...needs(claimed, "profiles", "resources"),
    ...(claimed.has("test") ? [] : ["capabilities: every connector has test"]),
    ...(connector.pollOperation && !claimed.has("grant") ? ["pollOperation: it needs grant"] : []),
    ...(claimed.has("grant") && !expiry ? ["expiry: say whether the target ends access by itself"] : []),
    ...(claimed.has("usage") === Boolean(usage) ? [] : ["usage: it goes with the capability of the same name"]),
    ...(claimed.has("tools") === tools.length > 0 ? [] : ["tools: they go with the capability of the same name"]),
    ...requiredPermissions
      .filter(({ capability }) => !claimed.has(capability))
      .map(({ capability }) => `requiredPermissions: ${capability} is not claimed`),
  ];
}

const needs = (claimed: ReadonlySet<string>, one: Capability, other: Capability) =>
  claimed.has(one) && !claimed.has(other) ? [`capabilities: ${one} needs ${other}`] : [];

function mistakesOfSchemas(connector: Connector): string[] {
  const { configuration, secrets, manifest } = connector;
  const strange = (manifest.targetProperties ?? []).filter((name) => !Object.hasOwn(configuration.shape, name));
  const both = Object.keys(secrets.shape).filter((name) => Object.hasOwn(configuration.shape, name));
  try {
    const { properties = {} } = publishedSchema(connector) as { properties?: Record<string, { type?: string }> };
    const notText = Object.keys(secrets.shape).filter((name) => properties[name]?.type !== "string");
    return [
      ...strange.map((name) => `targetProperties: ${name} is no property of the configuration`),
      ...both.map((name) => `secrets: ${name} is a property of the configuration too`),
      ...notText.map((name) => `secrets: ${name} is no text`),
    ];
  } catch (error) {
    return [`configuration: JSON Schema cannot say it (${(error as Error).message})`];
  }
}

function mistakesOfTypes({ manifest: { resourceTypes = [], capabilities } }: Connector): string[] {
  const types = resourceTypes.map(({ type }) => type);
  const listed = capabilities.includes("resources");
  return [
    ...twice(types).map((type) => `resourceTypes: ${type} is there twice`),
    ...resourceTypes
      .filter(({ parentType }) => parentType !== undefined && !types.includes(parentType))
      .map(({ type, parentType }) => `resourceTypes: ${type} is below ${parentType}, which is not known`),
    ...(listed === types.length > 0 ? [] : ["resourceTypes: they go with the capability resources"]),
  ];
}

function mistakesOfTools({ manifest: { tools = [] } }: Connector): string[] {
  return twice(tools.map(({ name }) => name)).map((name) => `tools: ${name} is there twice`);
}

const twice = (names: readonly string[]) => [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
