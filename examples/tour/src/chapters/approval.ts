import type { Json } from "../client.js";
import { expectSame } from "../expectation.js";
import { LINK_TOKEN } from "../mailbox.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import type { Asset, Person } from "../wire.js";
import { SERVERS } from "./estate.js";
import { newPassword, signIn } from "./tenant.js";

const path = (asset: Asset) => `/api/v1/ai-assets/${asset.id}`;

/** Nothing reaches production before a four-eyes approver approves it. */
export async function approve(story: Story): Promise<void> {
  const ada = known(story.ada, "Ada");
  let server = known(story.mcpServer, "the MCP server");

  chapter("Production is refused", "The lifecycle moves step by step, and its guards say what is missing.");
  server = (await ada.client.patch<Asset>(`${path(server)}/lifecycle`, { status: "development" })).body;
  server = (await ada.client.patch<Asset>(`${path(server)}/lifecycle`, { status: "validation" })).body;
  done("registered → development → validation");
  const { body: before } = await ada.client.get<{ decision: string; reasons: string[] }>(`${path(server)}/effective`);
  expectSame("nobody may use it yet", before.reasons, ["production_without_approval:unreviewed"]);
  refused(`May it be used in production? ${before.decision} (${before.reasons.join(", ")})`);
  const { body: refusal } = await ada.client.patch<Json & { guards: { key: string; ok: boolean; detail: string }[] }>(
    `${path(server)}/lifecycle`,
    { status: "production" },
    { expect: 409, code: "transition_guard_failed" },
  );
  refused("validation → production: 409 transition_guard_failed");
  for (const guard of refusal.guards) note(`${guard.ok ? "met    " : "missing"}  ${guard.key}: ${guard.detail}`);
  const missing = refusal.guards.filter((guard) => !guard.ok).map((guard) => guard.key);
  expectSame("what is missing", missing, ["approved", "accountable", "recordReady"]);
  const leap = { status: "retired" };
  await ada.client.patch(`${path(server)}/lifecycle`, leap, { expect: 400, code: "missing_reason" });
  refused("Retiring it without saying why: 400 missing_reason");

  chapter("A four-eyes approver", "Whoever asks for an approval cannot give it.");
  const username = `grace@${story.mark}.example`;
  story.grace = await invite(story, ada, username);
  server = (await ada.client.patch<Asset>(`${path(server)}/governance-state`, { status: "under_review" })).body;
  done("Ada asks for a review of the server");
  const approval = { status: "approved", reason: "Looked at every tool it exposes." };
  await ada.client.patch(`${path(server)}/governance-state`, approval, {
    expect: 403,
    code: "self_approval_forbidden",
  });
  refused("Ada approves it herself: 403 self_approval_forbidden");
  story.refusals += 4;

  const { client } = story.grace;
  server = (await client.patch<Asset>(`${path(server)}/governance-state`, approval)).body;
  expectSame("the server is approved", server.governanceState, "approved");
  done("Grace approves it");
  expectSame("it is flagged", server.relatedParty, true);
  note("Her account comes from Ada: the approval is flagged as one by a related party, in an event of severity WARN");
  story.mcpServer = server;
  await decideTools(story);
}

/** A new user sets a password by the link in the invitation, so nobody else knows it. */
async function invite({ server, mailbox }: Story, ada: Person, username: string): Promise<Person> {
  const invited = { username, name: "Grace", roles: ["governance_officer"] };
  const { body } = await ada.client.post<{ status: string }>("/api/v1/users", invited);
  expectSame("Grace is invited", body.status, "invited");
  const token = await mailbox.find(username, LINK_TOKEN);
  const newPass = newPassword();
  await server.post("/api/v1/auth/set-password", { token, newPassword: newPass }, { expect: 200 });
  done(`Ada invites ${username} as governance officer, who chooses a password by the mailed link`);
  const again = { token, newPassword: newPassword() };
  await server.post("/api/v1/auth/set-password", again, { expect: 400, code: "invalid_otp" });
  refused("The link again: 400 invalid_otp");
  return signIn(server, username, newPass);
}

/** The one tool that a careful officer rejects: it returns every environment variable of its host. */
const TURNED_DOWN = "get-env";
const REASON = "It hands every environment variable of its host to the model.";

async function decideTools(story: Story): Promise<void> {
  const ada = known(story.ada, "Ada");
  const grace = known(story.grace, "Grace");
  const { id, manifest } = known(story.mcpRecord, "the record of the server");
  const approve = `${SERVERS}/${id}/tools/approve`;
  const unseen = { manifestDigest: "0".repeat(64), reason: "Nobody has looked at this." };
  await grace.client.post(approve, unseen, { expect: 409, code: "manifest_mismatch" });
  refused("Approving what nobody has seen: 409 manifest_mismatch");
  story.refusals += 1;
  const seen = { manifestDigest: manifest.current, reason: "Read what each tool says of itself." };
  await grace.client.post(approve, seen, { expect: 200 });
  done(`Grace approves what the server offers by its digest, ${String(manifest.current).slice(0, 12)}…`);
  const decided: Asset[] = [];
  for (const tool of story.tools) {
    const state = `${path(tool)}/governance-state`;
    await ada.client.patch(state, { status: "under_review" });
    const verdict =
      tool.name === TURNED_DOWN
        ? { status: "rejected", reason: REASON }
        : { status: "approved", reason: "Does what its description says." };
    decided.push((await grace.client.patch<Asset>(state, verdict)).body);
  }
  story.tools = decided;
  const approved = decided.filter((tool) => tool.governanceState === "approved").length;
  done(`Of ${decided.length} tools Grace approves ${approved}`);
  for (const tool of decided.filter((one) => one.governanceState === "rejected")) {
    const record = known(
      story.toolRecords?.find(({ assetId }) => assetId === tool.id),
      `the record of ${tool.name}`,
    );
    await ada.client.put(`/api/v1/ai/tools/${record.id}`, { status: "blocked", reason: REASON });
    refused(
      `She rejects ${tool.name}, and Ada blocks it: it hands every environment variable of its host to the model`,
    );
  }
}
