import { mcpRegistry } from "@reeve/connectors/mcp-registry";
import { newListedServer, newRegistryKey } from "@reeve/testkit";
import { connectorCalls, connectorParts, listAll } from "@reeve/testkit/connectors";
import { expect, it } from "vitest";
import { Service } from "./clients/service.js";

const importer = (baseUrl: string, secrets: Record<string, string> = {}) => {
  const connector = mcpRegistry();
  return connectorCalls(
    connector,
    connectorParts(connector, { config: { baseUrl }, secrets, allow: ["127.0.0.1/32"] }),
  );
};

it("is imported whole by the connector for registries, by the key in its address and by a token", async () => {
  const { service, scene } = await Service.start();
  const names: string[] = [];
  for (let count = 0; count < 5; count += 1) names.push((await newListedServer(scene)).name);
  const { key } = await newRegistryKey(scene);
  const { token } = scene.owner;
  for (const calls of [importer(`${service.url}/registry/${key}`), importer(service.url, { token })]) {
    const { items, complete, pages } = await listAll((page) => calls.discoverAssets(page), 2);
    expect({ complete, pages }).toEqual({ complete: true, pages: 3 });
    expect(items.map(({ externalId }) => externalId)).toEqual(names);
    for (const { record } of items)
      expect(record).toMatchObject({ transport: "streamable_http", url: expect.stringMatching(/^https:/) });
  }
  const path = `/v0.1/servers/${encodeURIComponent(names[0] as string)}/versions/latest`;
  const answer = await fetch(`${service.url}/registry/${key}${path}`);
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  expect(await answer.json()).toMatchObject({ server: { name: names[0] } });
  const others = ["/api/v1/ai-assets/a%2Fb", `/registry/${key}%2Fv0.1/servers`, path.replace("%2F", "%2F%2e%2e%2F")];
  for (const other of others) expect((await fetch(service.url + other)).status, other).toBe(404);
});
