import { canonical, sha256 } from "../canonical.js";
import { expectSame, expectTrue } from "../expectation.js";
import { type Inventory, MCP_PACKAGE, readInventory, type Tool } from "../mcp.js";
import { chapter, done, note, refused, table } from "../page.js";
import { known, type Story } from "../story.js";
import type { Asset } from "../wire.js";

const ASSETS = "/api/v1/ai-assets";

/** Reads what is really there, and registers it. */
export async function registerEstate(story: Story): Promise<void> {
  chapter("A real MCP server", "Started from npm as a process of its own, and asked over stdio what it offers.");
  const inventory = await readInventory();
  expectTrue("the server offers tools", inventory.tools.length > 0, inventory.tools.length);
  done(`${MCP_PACKAGE} ${inventory.packageVersion} answers as ${inventory.server.name} ${inventory.server.version}`);
  table(
    ["tool", "schema sha256", "description"],
    inventory.tools.map((tool) => [tool.name, schemaHash(tool).slice(0, 12), tool.description.replaceAll(/\s+/g, " ")]),
  );

  chapter("The estate", "Server and tools become governed assets, tied together by relations.");
  const ada = known(story.ada, "Ada");
  const owner = { type: "user", id: ada.userId, name: ada.name };
  for (const tool of inventory.tools) {
    const { body } = await ada.client.post<Asset>(ASSETS, { ...toolAsset(tool, inventory), owner });
    expectSame(
      `${tool.name} starts registered and unreviewed`,
      [body.status, body.governanceState],
      ["registered", "unreviewed"],
    );
    story.tools.push(body);
  }
  done(`${story.tools.length} tools registered, each with the hash of its input schema`);

  const body = {
    ...serverAsset(inventory),
    owner,
    relations: story.tools.map(({ id }) => ({ type: "exposes", targetId: id })),
  };
  const once = { headers: { "idempotency-key": `register-server-${story.mark}` } };
  const first = await ada.client.post<Asset>(ASSETS, body, once);
  story.mcpServer = first.body;
  done(`${first.body.name} registered as ${first.body.id}; it exposes ${first.body.relations.length} tools`);

  const again = await ada.client.post<Asset>(ASSETS, body, once);
  expectSame("a repeated request gives the first answer", again.text, first.text);
  expectSame("and says that it does", again.headers.get("idempotent-replayed"), "true");
  done("The same request sent again with its Idempotency-Key gets the first answer, byte for byte");
  await ada.client.post(ASSETS, { ...body, name: "Another" }, { ...once, expect: 422, code: "idempotency_key_reused" });
  refused("The same key with another body: 422 idempotency_key_reused");
  await ada.client.post(ASSETS, body, { expect: 409, code: "already_exists" });
  refused("The same server a second time: 409 already_exists");
  story.refusals += 2;
  note(`Its risk score is ${first.body.riskScore}: ${riskOf(first.body)}`);
}

const schemaHash = (tool: Tool) => sha256(canonical(tool.inputSchema));

function toolAsset(tool: Tool, { server, packageVersion }: Inventory) {
  return {
    name: tool.name,
    assetType: "tool",
    description: tool.description,
    provider: "modelcontextprotocol",
    environment: "production",
    riskTier: tool.readOnly ? "minimal" : "limited",
    dataClassification: "internal",
    source: "import",
    externalRef: { source: "npm", id: `${MCP_PACKAGE}#${tool.name}` },
    labels: { server: server.name, access: tool.readOnly ? "read-only" : "read-write" },
    metadata: { mcp: { description: tool.description, inputSchemaSha256: schemaHash(tool), packageVersion } },
  };
}

function serverAsset({ server, packageVersion, tools }: Inventory) {
  return {
    name: server.name,
    assetType: "mcp_server",
    description: `Reference MCP server with ${tools.length} tools, run over stdio.`,
    provider: "modelcontextprotocol",
    environment: "production",
    riskTier: "limited",
    dataClassification: "internal",
    autonomy: "supervised",
    source: "import",
    externalRef: { source: "npm", id: MCP_PACKAGE, url: `https://www.npmjs.com/package/${MCP_PACKAGE}` },
    labels: { transport: "stdio" },
    metadata: { mcp: { version: server.version, packageVersion } },
  };
}

function riskOf(asset: Asset): string {
  return asset.riskFactors.map(({ key, points }) => `${key} +${points}`).join(", ");
}
