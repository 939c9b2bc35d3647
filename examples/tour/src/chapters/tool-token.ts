import { expectSame } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import { type CodeHost, startCodeHost } from "../systems/code-host.js";
import { govern, offered, read, until } from "../systems/governed.js";
import type { AccessRequest, AccessUse, Asset, List, ToolAnswer, ToolToken } from "../wire.js";
import { findProhibited, haltAgents, lift, retire } from "./halt.js";

const API = "/api/v1";
const OK = { expect: 200 } as const;
const REPOSITORY = "acme-admin/claims-agent";

/** An agent reads a repository with a token for tools, until a finding cuts that off. */
export async function cutOffToken(story: Story): Promise<void> {
  chapter("Tools for an agent", "An agent reads code with a token that is worth its access, and no more.");
  const host = await startCodeHost();
  try {
    const agent = await permitted(story, host);
    const token = await use(story, agent);
    await cutOff(story, agent, token);
  } finally {
    await host.stop();
  }
}

/** An agent that may read one repository, because somebody approved that. */
async function permitted(story: Story, host: CodeHost): Promise<Asset> {
  const { client: ada, userId, name: owner } = known(story.ada, "Ada");
  const { client: grace, userId: approver } = known(story.grace, "Grace");
  const { account } = host;
  const connectorInstanceId = await govern(ada, host);
  const target = `${API}/access-targets/${connectorInstanceId}`;
  const { id: resourceId } = await offered(ada, `${target}/resources?resourceType=repository`, REPOSITORY);
  const profile = await offered(ada, `${target}/access-profiles?resourceType=repository`, "pull");
  const approval = { definitionHash: profile.definitionHash, reason: "It reads a repository, and no more." };
  await grace.post(`${API}/access-profiles/${profile.id}/approve`, approval, OK);
  const fields = { name: `Reader ${story.mark}`, assetType: "agent", owner: { type: "user", id: userId, name: owner } };
  const { body: agent } = await ada.post<Asset>(`${API}/ai-assets`, fields);
  const principal = { type: "user", externalId: account.id, displayName: account.login };
  await ada.post(`${API}/ai-assets/${agent.id}/access-identities`, { connectorInstanceId, principal });
  const stages = [{ approvers: [{ kind: "user", id: approver }] }];
  const covers = { connectorInstanceIds: [connectorInstanceId] };
  await ada.post(`${API}/access-policies`, { name: `Code ${story.mark}`, covers, stages });
  const items = [{ accessProfileId: profile.id, resourceId }];
  const asking = { connectorInstanceId, items, duration: "PT8H", reason: "It explains the claims." };
  const { body: request } = await ada.post<AccessRequest>(`${API}/ai-assets/${agent.id}/access-requests`, asking, OK);
  const at = `${API}/access-requests/${request.id}`;
  await grace.post(
    `${at}/approve`,
    { expectedScopeHash: request.scopeHash, reason: "It reads for a working day." },
    OK,
  );
  await until("the host grants it", () => read<AccessRequest>(ada, at), "provisioned");
  done(`“${agent.name}” may read ${REPOSITORY} as ${account.login}: Ada asked, Grace approved, the host granted it`);
  return agent;
}

const run = ({ server }: Story, token: string, repository: string, expect: number | readonly number[] = 200) =>
  server.post<ToolAnswer>(
    `${API}/agent-tools/codehost/execute`,
    { token, tool: "read_file", arguments: { repository, path: "AGENTS.md" } },
    { expect },
  );

/** The agent reads what it may read. Returns the token. */
async function use(story: Story, agent: Asset): Promise<string> {
  const ada = known(story.ada, "Ada").client;
  const issue = `${API}/ai-assets/${agent.id}/agent-tool-token`;
  const { body: issued } = await ada.post<ToolToken>(issue, { ttlSeconds: 3_600 }, OK);
  const { body: answer } = await run(story, issued.token, REPOSITORY);
  expectSame("it reads the file", answer.result?.content, "Answer claims with care.\n");
  done(`With a token for an hour it reads AGENTS.md: “${answer.result?.content?.trim()}”`);
  const { body: elsewhere } = await run(story, issued.token, "acme-admin/salaries");
  expectSame("it reads nothing else", elsewhere.error?.code, "not_granted");
  refused("The same of another repository: not_granted");
  story.refusals += 1;
  const { items } = await read<List<AccessUse>>(ada, `${API}/ai-assets/${agent.id}/access-usage`);
  expectSame("both are on record", items.map(({ outcome }) => outcome).sort(), ["error", "success"]);
  note("GET /api/v1/ai-assets/{id}/access-usage shows both calls, with the person and the agent behind them");
  return issued.token;
}

/** A finding about another agent halts all of them, and with it the token. */
async function cutOff(story: Story, agent: Asset, token: string): Promise<void> {
  const ada = known(story.ada, "Ada").client;
  const prohibited = await findProhibited(story, "Scores of applicants");
  const halt = await haltAgents(story, prohibited);
  // A tick of the server may come before the call, and end the token.
  const { status } = await run(story, token, REPOSITORY, [403, 401]);
  refused(`The token of the halted agent: ${status}`);
  story.refusals += 1;
  await lift(story, halt);
  await run(story, token, REPOSITORY, 401);
  const { items } = await read<List<ToolToken>>(ada, `${API}/ai-assets/${agent.id}/agent-tool-tokens`);
  expectSame("it names the finding", [items[0]?.status, items[0]?.findingId], ["revoked", prohibited.finding.id]);
  refused("Agents go on, but the token does not: 401, and it names the finding that ended it");
  story.refusals += 1;
  await retire(story, prohibited);
}
