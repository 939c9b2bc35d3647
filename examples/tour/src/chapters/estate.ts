import { expectSame, expectTrue, Unexpected } from "../expectation.js";
import { MCP_PACKAGE, type RunningServer, startServer } from "../mcp.js";
import { chapter, done, note, refused, table } from "../page.js";
import { known, type Story } from "../story.js";
import type { Asset, List, McpServer, Tool } from "../wire.js";

const ASSETS = "/api/v1/ai-assets";
export const SERVERS = "/api/v1/ai/mcp-servers";

/** Registers a real MCP server, scans it, and finds each of its tools as a governed asset. */
export async function registerEstate(story: Story): Promise<void> {
  chapter("A real MCP server", "Started from npm as a process of its own, registered, and asked what it offers.");
  const running = await startServer();
  try {
    done(`${MCP_PACKAGE} ${running.packageVersion} listens at ${running.url}`);
    await registerServer(story, running);
    await scan(story, running);
  } finally {
    await running.stop();
  }
}

async function registerServer(story: Story, { packageVersion }: RunningServer): Promise<void> {
  const ada = known(story.ada, "Ada");
  const body = {
    name: "everything",
    assetType: "mcp_server",
    description: "Reference MCP server that offers a bit of everything.",
    provider: "modelcontextprotocol",
    environment: "production",
    owner: { type: "user", id: ada.userId, name: ada.name },
    riskTier: "limited",
    dataClassification: "internal",
    autonomy: "supervised",
    externalRef: { source: "npm", id: MCP_PACKAGE, url: `https://www.npmjs.com/package/${MCP_PACKAGE}` },
    labels: { transport: "http" },
    metadata: { mcp: { version: packageVersion, packageVersion } },
  };
  const once = { headers: { "idempotency-key": `register-server-${story.mark}` } };
  const first = await ada.client.post<Asset>(ASSETS, body, once);
  expectSame(
    "it starts registered and unreviewed",
    [first.body.status, first.body.governanceState],
    ["registered", "unreviewed"],
  );
  story.mcpServer = first.body;
  done(`${first.body.name} registered as ${first.body.id}`);

  const again = await ada.client.post<Asset>(ASSETS, body, once);
  expectSame("a repeated request gives the first answer", again.text, first.text);
  expectSame("and says that it does", again.headers.get("idempotent-replayed"), "true");
  done("The same request sent again with its Idempotency-Key gets the first answer, byte for byte");
  await ada.client.post(ASSETS, { ...body, name: "Another" }, { ...once, expect: 422, code: "idempotency_key_reused" });
  refused("The same key with another body: 422 idempotency_key_reused");
  await ada.client.post(ASSETS, body, { expect: 409, code: "already_exists" });
  refused("The same server a second time: 409 already_exists");
  story.refusals += 2;
  const factors = first.body.riskFactors.map(({ key, points }) => `${key} +${points}`);
  note(`Its risk score is ${first.body.riskScore}: ${factors.join(", ")}`);
}

async function scan(story: Story, { url }: RunningServer): Promise<void> {
  chapter("What it offers", "A scan reads every tool, registers it, and approves nothing.");
  const { client } = known(story.ada, "Ada");
  const asset = known(story.mcpServer, "the MCP server");
  const { body: servers } = await client.get<List<McpServer>>(SERVERS);
  const [record] = servers.items;
  expectSame("the asset has its record", record?.assetId, asset.id);
  const path = `${SERVERS}/${record?.id}`;
  await client.put(path, { url });
  const { body: server } = await client.post<McpServer>(`${path}/scan`, {}, { expect: 200 });
  expectScanned(server);
  story.mcpRecord = server;
  done(
    `It answers as ${server.serverInfo?.name} ${server.serverInfo?.version}, in protocol ${server.protocol.negotiated}`,
  );
  const { body: tools } = await client.get<List<Tool>>(`${path}/tools?size=100`);
  expectTrue("the server offers tools", tools.items.length > 0, tools.items.length);
  expectTrue(
    "nothing is approved by being seen",
    tools.items.every(({ status }) => status === "pending_review"),
    tools.items.map(({ status }) => status),
  );
  done(`${tools.items.length} tools found, each registered with a pin of what it says; none is approved`);
  table(
    ["tool", "pin", "says"],
    tools.items.map(({ toolName, pin, toolDescription }) => [
      toolName,
      pin.current.slice(0, 12),
      toolDescription.replaceAll(/\s+/g, " "),
    ]),
  );
  story.toolRecords = tools.items;
  for (const { assetId } of tools.items) {
    const { body } = await client.patch<Asset>(`${ASSETS}/${assetId}/lifecycle`, { status: "registered" });
    story.tools.push(body);
  }
  done("Ada takes charge of each: discovered → registered");
}

/** Throws unless the scan succeeded. Explains what to do when the server under tour may not call this machine. */
export function expectScanned({ scan }: McpServer): void {
  if (scan?.error?.code === "target_not_allowed")
    throw new Unexpected(
      "the server may look at this machine (start it with REEVE_EGRESS_ALLOW=127.0.0.1)",
      "ok",
      "target_not_allowed",
    );
  expectSame("the scan has seen everything", scan, { ...scan, outcome: "ok", error: null });
}
