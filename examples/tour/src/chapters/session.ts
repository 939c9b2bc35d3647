import { expectSame } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import type { Session } from "../wire.js";

const PEP = "tour-host";

/** An agent works in a session, which people suspend, resume and terminate. Its host confirms each step. */
export async function controlSession(story: Story): Promise<void> {
  chapter("An agent at work", "Stopping a session is one thing, knowing that it has stopped is another.");
  const ada = known(story.ada, "Ada").client;
  const grace = known(story.grace, "Grace").client;
  const { body: agent } = await ada.post<{ id: string; name: string }>("/api/v1/ai/agents", {
    name: "Clerk",
    kind: "autonomous",
    limits: { maxIterations: 20, maxCostUsd: 5 },
  });
  const { body: started } = await ada.post<Session>("/api/v1/ai/sessions", {
    agentId: agent.id,
    purpose: "Sorts the mail of the day.",
  });
  const path = `/api/v1/ai/sessions/${started.id}`;
  const beat = async () => (await ada.post<Session>(`${path}/heartbeat`, { pepId: PEP }, { expect: 200 })).body;
  const acknowledge = async ({ controlEpoch: epoch }: Session) =>
    (await ada.post<Session>(`${path}/acknowledgements`, { pepId: PEP, epoch, outcome: "enforced" }, { expect: 200 }))
      .body;
  const decide = async (verb: string, reason: string) =>
    (await grace.post<Session>(`${path}/${verb}`, { reason })).body;
  const shown = ({ status, enforcement }: Session) => [status, enforcement.state];

  expectSame("its host is registered as an enforcement point", (await beat()).status, "active");
  await ada.post(`${path}/usage`, { iterations: 3, toolCalls: 2, costUsd: 0.12, pepId: PEP }, { expect: 200 });
  done(`${agent.name} works in session ${started.id}; its host reports and listens`);

  expectSame("asked for", shown(await decide("suspend", "It sorts what is none of its business.")), [
    "suspended",
    "pending",
  ]);
  done("Grace suspends it: suspended, enforcement pending");
  const stopped = await beat();
  expectSame("the host has stopped it", shown(await acknowledge(stopped)), ["suspended", "confirmed"]);
  done("The host hears of it with its next heartbeat, stops, and says so: enforcement confirmed");

  expectSame("resumed", (await decide("resume", "Looked at it together; it may go on.")).status, "active");
  done("Grace resumes it");

  const ending = await decide("terminate", "The mail is sorted by people from now on.");
  expectSame("asked for", shown(ending), ["terminating", "pending"]);
  expectSame("ended", shown(await acknowledge(await beat())), ["terminated", "confirmed"]);
  done("She terminates it; the host confirms: terminated, enforcement confirmed");
  const again = { reason: "It should start over again." };
  await grace.post(`${path}/resume`, again, { expect: 409, code: "invalid_transition" });
  refused("Resuming what is terminated: 409 invalid_transition");
  story.refusals += 1;
  const { body: ended } = await ada.get<Session>(path);
  note(
    `It had spent ${ended.usage.toolCalls} tool calls and ${ended.usage.costUsd} USD; decisions taken: ${ended.controlEpoch}`,
  );
}
