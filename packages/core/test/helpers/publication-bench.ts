import { type Actor, newInstallation, type Scene, type World } from "@reeve/testkit";
import { expect } from "vitest";

const reason = "because a test wants it so";

/** What tests of publications do in one tenant, where `second` decides what the owner asks for. */
export function publicationBench(world: World, scene: Scene, second: Actor) {
  const as = (token: string) => async (method: string, path: string, body?: object) => {
    const answer = await world.send(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const asOwner = (method: string, path: string, body?: object) => as(scene.owner.token)(method, path, body);
  const govern = (assetId: string, status: string, more: object = {}, by: Actor = second) =>
    as(by.token)("PATCH", `/ai-assets/${assetId}/governance-state`, { status, reason, ...more });
  const approve = async (assetId: string, more: object = {}) => {
    await govern(assetId, "under_review", {}, scene.owner);
    await govern(assetId, "approved", more);
  };
  const newServer = async (body: object = {}) => {
    const server = await asOwner("POST", "/ai/mcp-servers", {
      ...{ name: scene.unique(), url: `https://mcp.example/${scene.unique()}`, healthCheck: { enabled: false } },
      ...body,
    });
    await approve(server.assetId);
    return server as { id: string; assetId: string; name: string; url: string };
  };

  /** An approved agent that uses these servers, and an installation of it. */
  async function bench(client: string, servers: readonly { assetId: string }[]) {
    const { agentId, id, credential, installation } = await newInstallation(scene, client);
    const { items } = await asOwner("GET", `/ai/agents?assetId=${agentId}`);
    const use = (some: readonly { assetId: string }[]) =>
      asOwner("PUT", `/ai/agents/${items[0].id}`, { mcpServerIds: some.map(({ assetId }) => assetId) });
    await use(servers);
    await approve(agentId);
    const path = `/ai-assets/${agentId}/publication`;
    return {
      ...{ agentId, id, credential, installation, use, path },
      preview: () => asOwner("GET", `${path}?clientName=${client}`),
      publish: () => asOwner("POST", path, { client }),
      poll: () => as(credential)("POST", "/ai/installation/publication"),
      report: (body: object) => as(credential)("POST", "/ai/installation/report", body),
      shown: () => asOwner("GET", `/ai/installations/${id}`),
    };
  }
  return { as, asOwner, govern, approve, newServer, bench };
}
