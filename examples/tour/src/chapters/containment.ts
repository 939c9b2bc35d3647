import type { Client } from "../client.js";
import { expectSame } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";

interface Registered {
  readonly assetId: string;
  readonly name: string;
}

interface Effective {
  readonly decision: string;
  readonly reasons: string[];
  readonly message: string | null;
}

/** An agent falls with the model that it uses, and with a halt of the whole tenant. */
export async function standOrFall(story: Story): Promise<void> {
  chapter("What an agent stands on", "It falls with its model, and a halt stops every agent until people lift it.");
  const ada = known(story.ada, "Ada").client;
  const grace = known(story.grace, "Grace").client;
  const { body: model } = await ada.post<Registered>("/api/v1/ai/models", { name: "Summariser" });
  const { body: agent } = await ada.post<Registered>("/api/v1/ai/agents", {
    name: "Scribe",
    modelIds: [model.assetId],
  });
  const effective = async () => {
    const { body } = await ada.get<Effective>(`/api/v1/ai-assets/${agent.assetId}/effective`);
    return body;
  };
  expectSame("the agent may be used", (await effective()).decision, "allow");
  done(`${agent.name} uses ${model.name}: allow`);

  const state = `/api/v1/ai-assets/${model.assetId}/governance-state`;
  await ada.patch(state, { status: "under_review" });
  await grace.patch(state, { status: "rejected", reason: "It keeps what it is asked." });
  const { decision, reasons, message } = await effective();
  expectSame("it falls with its model", [decision, reasons], ["deny", ["depends_on:governance_state:rejected"]]);
  refused(`Grace rejects ${model.name}, and ${agent.name} is denied with it`);
  note(String(message));
  story.refusals += 1;
  await halt(story, ada, grace);
}

/** Stops all agents of the tenant, and lets them go on. */
async function halt(story: Story, ada: Client, grace: Client): Promise<void> {
  const { body: agent } = await ada.post<Registered>("/api/v1/ai/agents", { name: "Courier" });
  const effective = async () => {
    const { body } = await ada.get<Effective>(`/api/v1/ai-assets/${agent.assetId}/effective`);
    return [body.decision, ...body.reasons];
  };
  expectSame("the other agent may be used", await effective(), ["allow"]);
  const reason = "Agents send mail that nobody asked for.";
  const { body: started } = await grace.post<{ id: string }>("/api/v1/ai/halts", { scope: "all_agents", reason });
  done(`Grace halts all agents: “${reason}”`);
  expectSame("every agent stops", await effective(), ["deny", `halt:all_agents:${started.id}`]);
  refused(`${agent.name}: deny (halt:all_agents)`);
  await ada.post("/api/v1/ai/sessions", { agentId: agent.assetId, purpose: "Carries on." }, { expect: 409 });
  refused("A session of it: 409");
  story.refusals += 2;
  const lifted = { reason: "The mail was a test of the supplier's." };
  await grace.post(`/api/v1/ai/halts/${started.id}/lift`, lifted, { expect: 200 });
  expectSame("agents go on", await effective(), ["allow"]);
  done("Grace lifts it: agents go on");
}
