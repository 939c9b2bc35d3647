import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CAPABILITIES, type Connector, publishedManifest, type ResourceType } from "@reeve/core/connectors";
import { root } from "../lib/workspace.mjs";
import { code, codes, markdownPage, type ReferencePage, table } from "./markdown.js";

const home = join(root, "packages/connectors");

/** A page for each connector of `@reeve/connectors`, and a list of them: what it needs, and what it can and cannot do. */
export async function connectorPages(): Promise<ReferencePage[]> {
  const { exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { exports: object };
  const names = Object.keys(exports)
    .filter((path) => path !== "./package.json")
    .map((path) => path.slice("./".length));
  const made = await Promise.all(names.map(async (name) => [name, ...(await connectorOf(name))] as const));
  return [listOf(made), ...made.map(([name, factory, connector]) => pageOf(name, factory, connector))];
}

/** Stands for the parts of a host that factories take. Making a connector calls none of them. */
const OF_THE_HOST = {};

/** The function that makes a connector, and what it makes. */
async function connectorOf(name: string): Promise<readonly [string, Connector]> {
  const module: Record<string, unknown> = await import(pathToFileURL(join(home, "src", name, "index.ts")).href);
  for (const [factory, make] of Object.entries(module)) {
    const connector: unknown = typeof make === "function" && make.length <= 1 ? make(OF_THE_HOST) : undefined;
    if (connector && typeof connector === "object" && "manifest" in connector) return [factory, connector as Connector];
  }
  throw new Error(`@reeve/connectors/${name} exports no function that makes a connector`);
}

function listOf(made: readonly (readonly [string, string, Connector])[]): ReferencePage {
  return markdownPage("README.md", "Connectors", [
    "What each connector of `@reeve/connectors` needs, and what it can and cannot do.",
    table(
      ["Connector", "Category", "What it does", "Capabilities"],
      made.map(([name, , { manifest }]) => [
        `[${manifest.displayName}](${name}.md)`,
        manifest.category,
        manifest.description,
        codes(manifest.capabilities),
      ]),
    ),
  ]);
}

function pageOf(name: string, factory: string, connector: Connector): ReferencePage {
  const { manifest } = connector;
  const { requiredPermissions = [], resourceTypes = [], limitations = [], tools = [] } = manifest;
  return markdownPage(`${name}.md`, manifest.displayName, [
    `${manifest.description} Version ${manifest.version}, key ${code(manifest.providerKey)}.`,
    `\`\`\`js\nimport { ${factory} } from "@reeve/connectors/${name}";\n\`\`\``,
    ...(manifest.docsUrl ? [`The target's own documentation: <${manifest.docsUrl}>.`] : []),
    "## Configuration",
    settingsOf(connector),
    "## Permissions it needs",
    requiredPermissions.length > 0
      ? table(
          ["For", "Permission in the target", "Why"],
          requiredPermissions.map(({ capability, permission, why }) => [code(capability), permission, why]),
        )
      : "None.",
    "## What it can do",
    table(
      ["Capability", "Meaning"],
      manifest.capabilities.map((capability) => [code(capability), CAPABILITIES[capability].meaning]),
    ),
    ...(manifest.expiry ? [EXPIRY[manifest.expiry]] : []),
    ...(resourceTypes.length > 0 ? ["## Resources", resourcesOf(resourceTypes)] : []),
    ...(tools.length > 0
      ? [
          "## Tools",
          table(
            ["Tool", "Effect", "What it does"],
            tools.map((tool) => [code(tool.name), tool.effect, tool.description]),
          ),
        ]
      : []),
    ...(limitations.length > 0 ? ["## What it cannot do", limitations.map((each) => `- ${each}`).join("\n")] : []),
  ]);
}

const EXPIRY = {
  native: "The target ends access by itself when it expires.",
  managed: "The target knows no expiry: the control plane revokes access when it expires.",
} as const;

interface Property {
  readonly description?: string;
  readonly default?: unknown;
  readonly writeOnly?: boolean;
}

function settingsOf(connector: Connector): string {
  const { properties = {}, required = [] } = publishedManifest(connector).configurationSchema as {
    properties?: Record<string, Property>;
    required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([name, property]) => [
    code(name),
    property.default !== undefined
      ? code(JSON.stringify(property.default))
      : required.includes(name)
        ? "required"
        : "optional",
    property.writeOnly ? "yes" : "",
    property.description ?? "",
  ]);
  return rows.length > 0 ? table(["Property", "Default", "Secret", "Meaning"], rows) : "None.";
}

function resourcesOf(types: readonly ResourceType[]): string {
  return table(
    ["Type", "Below", "Granted to", "Its id"],
    types.map(({ type, displayName, parentType, grantableTo, idStability }) => [
      `${displayName} (${code(type)})`,
      parentType ? code(parentType) : "",
      codes(grantableTo),
      idStability === "immutable" ? "stays when it is renamed" : "changes when it is renamed",
    ]),
  );
}
