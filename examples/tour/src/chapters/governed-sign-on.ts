import { done } from "../page.js";
import { known, type Story } from "../story.js";
import { govern, offered, read, until } from "../systems/governed.js";
import type { AccessRequest, Asset, SamlApp } from "../wire.js";
import { revokeByCertification } from "./access.js";

const API = "/api/v1";
const OK = { expect: 200 } as const;

/** A sign-on that access governance has granted. */
export interface GovernedSignOn {
  /** A certification revokes it. Resolves when the application is not assigned any more. */
  certifyAway(): Promise<void>;
}

/** An assistant may use an application as somebody: it is asked for, and granted by a four-eyes approver. */
export async function grantSignOn(story: Story, app: SamlApp, userId: string): Promise<GovernedSignOn> {
  const { client: ada, userId: id, name } = known(story.ada, "Ada");
  const grace = known(story.grace, "Grace");
  const hedy = known(story.hedy, "Hedy");
  const connectorInstanceId = await govern(ada, { name: "Applications", providerKey: "sign-on" });
  const target = `${API}/access-targets/${connectorInstanceId}`;
  const { id: resourceId } = await offered(ada, `${target}/resources?resourceType=application`, app.id);
  const profile = await offered(ada, `${target}/access-profiles?resourceType=application`, "sign-on");
  const approval = { definitionHash: profile.definitionHash, reason: "It signs somebody on, and no more." };
  await grace.client.post(`${API}/access-profiles/${profile.id}/approve`, approval, OK);
  const owner = { type: "user", id, name };
  const fields = { name: `Bookkeeper ${story.mark}`, assetType: "agent", owner };
  const { body: agent } = await ada.post<Asset>(`${API}/ai-assets`, fields);
  const principal = { type: "user", externalId: userId, displayName: "Linus" };
  await ada.post(`${API}/ai-assets/${agent.id}/access-identities`, { connectorInstanceId, principal });
  const stages = [{ approvers: [{ kind: "user", id: hedy.userId }] }];
  const covers = { connectorInstanceIds: [connectorInstanceId] };
  await ada.post(`${API}/access-policies`, { name: `Sign-on ${story.mark}`, covers, stages });
  const items = [{ accessProfileId: profile.id, resourceId }];
  const asking = { connectorInstanceId, items, duration: "P1D", reason: "It books what Linus has paid." };
  const { body: request } = await ada.post<AccessRequest>(`${API}/ai-assets/${agent.id}/access-requests`, asking, OK);
  const at = `${API}/access-requests/${request.id}`;
  const vote = { expectedScopeHash: request.scopeHash, reason: "It books for a day." };
  await hedy.client.post(`${at}/approve`, vote, OK);
  const provisioned = await until("the application is assigned", () => read<AccessRequest>(ada, at), "provisioned");
  done(
    `“${agent.name}” acts as Linus in “${app.name}”: Ada asks for its access, Hedy approves it, and Reeve assigns it`,
  );
  const [item] = provisioned.items;
  return {
    certifyAway: () => revokeByCertification({ story, ada, grace }, item?.assignmentId as string, "Sign-on"),
  };
}
