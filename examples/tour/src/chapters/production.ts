import type { Json } from "../client.js";
import { expectSame, expectTrue } from "../expectation.js";
import { chapter, done, note, refused, table } from "../page.js";
import { known, type Story } from "../story.js";
import type { Asset } from "../wire.js";

const path = (asset: Asset) => `/api/v1/ai-assets/${asset.id}`;

/** Makes changes only to the version that was read. Then the estate goes live. */
export async function release(story: Story): Promise<void> {
  chapter("Careful changes", "A change names the version it was made for; metadata is merged, not overwritten.");
  const ada = known(story.ada, "Ada");
  const grace = known(story.grace, "Grace");
  let server = known(story.mcpServer, "the MCP server");
  const sponsor = { type: "user", id: grace.userId, name: grace.name };
  const stale = { headers: { "if-match": '"1"' }, expect: 412, code: "precondition_failed" };
  const { body: conflict } = await ada.client.put<Json>(path(server), { sponsor }, stale);
  expectSame("the refusal names the version there is", conflict.current, server.version);
  refused(`A change made for version 1: 412 precondition_failed, it is version ${server.version} now`);
  story.refusals += 1;
  const current = { headers: { "if-match": `"${server.version}"` } };
  server = (await ada.client.put<Asset>(path(server), { sponsor }, current)).body;
  done(`The same change made for version ${current.headers["if-match"]}: Grace is its sponsor`);

  const patch = {
    metadata: { mcp: { packageVersion: null, transport: "stdio" }, runbook: "https://wiki.acme.example/mcp" },
  };
  const before = server.metadata;
  server = (await ada.client.patch<Asset>(`${path(server)}/metadata`, patch)).body;
  const mcp = server.metadata.mcp as Json;
  expectSame(
    "a merge patch removes, adds and keeps",
    [mcp.packageVersion, mcp.transport, mcp.version],
    [undefined, "stdio", (before.mcp as Json).version],
  );
  done(`Metadata merged: ${JSON.stringify(server.metadata)}`);

  chapter("Into production", "Everything approved goes live; what was rejected stays behind.");
  server = (await ada.client.patch<Asset>(`${path(server)}/lifecycle`, { status: "production" })).body;
  expectSame("the server is in production", [server.status, server.governanceState], ["production", "approved"]);
  done(`${server.name} is in production`);
  story.mcpServer = server;
  const tools: Asset[] = [];
  for (const tool of story.tools) tools.push(await takeLive(story, tool, sponsor));
  story.tools = tools;
  done(`${tools.filter((tool) => tool.status === "production").length} tools are in production`);
  const held = tools.filter((tool) => tool.status !== "production");
  for (const tool of held) refused(`${tool.name} stays in ${tool.status}: it is ${tool.governanceState}`);
  expectTrue(
    "a rejected tool is held back",
    held.every((tool) => tool.governanceState === "rejected"),
    held,
  );
  table(
    ["asset", "type", "lifecycle", "governance", "risk", "version"],
    [server, ...tools].map((asset) => [
      asset.name,
      asset.assetType,
      asset.status,
      asset.governanceState,
      String(asset.riskScore),
      String(asset.version),
    ]),
  );
  note("Each asset carries its own version, risk score and two states.");
}

async function takeLive(story: Story, tool: Asset, sponsor: object): Promise<Asset> {
  const { client } = known(story.ada, "Ada");
  await client.put(path(tool), { sponsor });
  await client.patch(`${path(tool)}/lifecycle`, { status: "development" });
  const { body: validated } = await client.patch<Asset>(`${path(tool)}/lifecycle`, { status: "validation" });
  const live = { status: "production" };
  if (tool.governanceState === "approved") return (await client.patch<Asset>(`${path(tool)}/lifecycle`, live)).body;
  await client.patch(`${path(tool)}/lifecycle`, live, { expect: 409, code: "transition_guard_failed" });
  story.refusals += 1;
  return validated;
}
