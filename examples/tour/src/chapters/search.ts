import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../client.js";
import { expectSame, expectTrue } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import { walk } from "../walk.js";
import type { Asset, List } from "../wire.js";

const ASSETS = "/api/v1/ai-assets";

/** How long a search index may take to follow writes, in ms. */
const PATIENCE = 10_000;

/** Finds the estate by filter, by text, and page by page. */
export async function find(story: Story): Promise<void> {
  chapter("Finding things", "Filters, text search, and a cursor that walks the whole list.");
  const { client } = known(story.ada, "Ada");
  const total = story.tools.length + 1;

  const servers = await client.get<List<Asset>>(`${ASSETS}?assetType=mcp_server`);
  expectSame(
    "one MCP server",
    servers.body.items.map(({ id }) => id),
    [known(story.mcpServer, "the MCP server").id],
  );
  done("assetType=mcp_server finds the one server");
  const tools = await client.get<List<Asset>>(
    `${ASSETS}?assetType=tool&environment=production&provider=modelcontextprotocol`,
  );
  expectSame("all tools", tools.body.totalItems, story.tools.length);
  done(`assetType=tool&environment=production&provider=modelcontextprotocol finds ${tools.body.totalItems}`);

  const word = (story.tools[0] as Asset).name.toUpperCase();
  const found = await searchFor(client, word);
  expectTrue(
    `a search for ${word} finds the tool`,
    found.some(({ id }) => id === story.tools[0]?.id),
    found,
  );
  done(`search=${word} finds ${found.map(({ name }) => name).join(", ")}`);

  const walked = await walk<Asset>(client, ASSETS, 5);
  expectSame("the walk shows every asset once", new Set(walked.items.map(({ id }) => id)).size, total);
  expectSame("and none twice", walked.items.length, total);
  done(`Pages of 5: ${walked.pages} pages, ${walked.items.length} assets, each exactly once`);

  const first = await client.get<List<Asset>>(`${ASSETS}?size=5`);
  const borrowed = encodeURIComponent(first.body.nextCursor ?? "");
  const path = `${ASSETS}?size=5&assetType=tool&cursor=${borrowed}`;
  await client.get(path, { expect: 400, code: "invalid_cursor" });
  refused("A cursor taken to another list: 400 invalid_cursor");
  await client.get(`${ASSETS}?colour=red`, { expect: 400 });
  refused("A filter that does not exist: 400, not a silent full list");
  story.refusals += 2;
  note("Lists are newest first and stay stable while others write.");
}

async function searchFor(client: Client, word: string): Promise<Asset[]> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const { body } = await client.get<List<Asset>>(`${ASSETS}?search=${encodeURIComponent(word)}`);
    if (body.items.length > 0 || Date.now() > deadline) return body.items;
    await sleep(100);
  }
}
