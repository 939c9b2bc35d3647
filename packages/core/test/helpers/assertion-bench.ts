import { type Actor, type Answer, createPlane, createProvider, createTenant, type Scene } from "@reeve/testkit";
import { expect } from "vitest";
import { type DecidedAccess, provision } from "#families/access-grants/assignments/provision-assignment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { assertionConnector, type ControlPlaneConfig } from "../../src/index.js";
import { environmentOf } from "./environment.js";
import { emptyStore } from "./stores.js";

export const ISSUER = "https://login.files.example";
export const reason = "because a test wants it so";
const TYPE = "urn:ietf:params:oauth:token-type:";

export type AssertionBench = Awaited<ReturnType<typeof assertionBench>>;

/** A tenant whose agents get identity assertions, on a control plane with that connector. */
export async function assertionBench(config: Partial<ControlPlaneConfig> = {}) {
  const connectors = [assertionConnector()];
  const plane = createPlane({ store: await emptyStore(), connectors, tokenLifetime: 86_400, ...config });
  const scene = await createTenant(plane, "asserting", await createProvider(plane));
  const other = await createTenant(plane, "other");
  const second = await scene.newUser(["governance_officer"]);
  return { ...plane, scene, other, second, ...(await inTenant(plane, scene, second)) };
}

/** What tests do in one tenant, where `second` decides what the owner asks for. */
export async function inTenant(plane: ReturnType<typeof createPlane>, scene: Scene, second: Actor) {
  async function as(actor: Actor, method: string, path: string, body?: object) {
    const answer = await plane.send(method, `/api/v1${path}`, { token: actor.token, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  }
  const asOwner = (method: string, path: string, body?: object) => as(scene.owner, method, path, body);
  const govern = (assetId: string, status: string, by = second, more: object = {}) =>
    as(by, "PATCH", `/ai-assets/${assetId}/governance-state`, { status, reason, ...more });
  const approve = async (assetId: string, more: object = {}) => {
    await govern(assetId, "under_review", scene.owner);
    await govern(assetId, "approved", second, more);
  };
  const connection = await asOwner("POST", "/connector-instances", {
    ...{ providerKey: "identity-assertions", name: "Assertions", status: "active", governanceMode: "managed" },
  });
  const target = `/access-targets/${connection.id}`;

  /** An approved server whose tools are pinned. */
  async function newServer(authorization: object | null = { issuer: ISSUER, scopes: ["read", "write"] }) {
    const url = `https://mcp.files.example/${scene.unique()}`;
    const body = { name: scene.unique(), url, healthCheck: { enabled: false }, authorization };
    const server = await asOwner("POST", "/ai/mcp-servers", body);
    const show = async (description: string) => {
      plane.mcp.report(url, { tools: [{ name: "read", description, inputSchema: { type: "object" } }] });
      return asOwner("POST", `/ai/mcp-servers/${server.id}/scan`);
    };
    const { manifest } = await show("Reads.");
    await as(second, "POST", `/ai/mcp-servers/${server.id}/tools/approve`, { manifestDigest: manifest.current });
    await approve(server.assetId);
    return { id: server.id as string, assetId: server.assetId as string, url, show };
  }

  /** An approved agent that runs as an approved identity with a credential. */
  async function newAgent(registrations: readonly object[] = [{ issuer: ISSUER, clientId: "agent-at-files" }]) {
    const identityId = await scene.newIdentity({
      kind: "workload",
      scopes: [],
      issuer: null,
      subject: null,
      registrations,
    });
    const identity = await asOwner("GET", `/ai/identities/${identityId}`);
    const team = scene.unique();
    const agent = await asOwner("POST", "/ai/agents", { name: scene.unique(), identityId: identity.assetId });
    await asOwner("PUT", `/ai-assets/${agent.assetId}`, { team: { type: "team", id: team, name: team } });
    await approve(identity.assetId);
    await approve(agent.assetId);
    const credential = await scene.newCredential(identityId);
    return {
      ...{ identityId, identityAssetId: identity.assetId as string, id: agent.id as string },
      ...{ assetId: agent.assetId as string, client: credential, team },
    };
  }

  /** Access of an agent to a server for a person. Returns the ids of the assignments by scope. */
  async function grant(
    agent: { readonly assetId: string },
    server: { readonly assetId: string },
    userId: string,
    scopes: readonly string[] = ["read"],
    more: Partial<DecidedAccess> = {},
  ) {
    await asOwner("POST", `${target}/resources/sync`);
    await plane.controlPlane.tick();
    const { items: resources } = await asOwner("GET", `${target}/resources?size=100`);
    const resource = resources.find(({ externalId }: { externalId: string }) => externalId === server.assetId);
    const acting = `/ai-assets/${agent.assetId}/access-identities`;
    const known = (await asOwner("GET", `${acting}?size=100`)).items.find(
      ({ principal }: { principal: { externalId: string } }) => principal.externalId === userId,
    );
    const principal = { type: "user", externalId: userId };
    const identity = known ?? (await asOwner("POST", acting, { connectorInstanceId: connection.id, principal }));
    const { items: profiles } = await asOwner("GET", `${target}/access-profiles?resourceId=${resource.id}&size=100`);
    const made: Record<string, string> = {};
    for (const scope of scopes) {
      const profile = profiles.find(
        ({ externalId }: { externalId: string }) => externalId === (scope === "" ? "connect" : `scope:${scope}`),
      );
      if (profile.status !== "approved")
        await asOwner("POST", `/access-profiles/${profile.id}/approve`, { definitionHash: profile.definitionHash });
      const decided: DecidedAccess = {
        ...{ requestId: null, source: "request", assetId: agent.assetId, identityId: identity.id },
        ...{ accessProfileId: profile.id, resourceId: resource.id, parameters: {} },
        ...{ isPermanent: false, duration: "P1D", expiresAt: null },
        ...more,
      };
      const ctx = systemContext(environmentOf(plane, { ids: plane.ids }), scene.tenantId, "test");
      const [one] = await ctx.write((inner) => provision(inner, [decided]));
      made[scope] = one?.id as string;
    }
    await plane.controlPlane.tick();
    return made;
  }

  /** Asks for an assertion. */
  const ask = (
    agent: { readonly client: { readonly clientId: string; readonly clientSecret: string } },
    server: { readonly url: string },
    subjectToken: string,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Answer> =>
    plane.send("POST", "/api/v1/auth/token", {
      remoteAddress: scene.unique(),
      body: {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        requested_token_type: `${TYPE}id-jag`,
        ...{ subject_token: subjectToken, subject_token_type: `${TYPE}access_token` },
        ...{ audience: ISSUER, resource: server.url },
        ...{ client_id: agent.client.clientId, client_secret: agent.client.clientSecret },
        ...more,
      },
    });

  return { as, asOwner, govern, approve, connection, newServer, newAgent, grant, ask };
}
