import { expectSame, expectTrue } from "../expectation.js";
import { chapter, done, note, table } from "../page.js";
import { known, type Story } from "../story.js";
import type { ChainedEvent, List, Step } from "../wire.js";

/** The most events to print. */
const NEWEST = 12;

/** Who did what, when and why. */
export async function readHistories(story: Story): Promise<void> {
  chapter("What has happened", "Two histories and the activity of one asset, newest first.");
  const ada = known(story.ada, "Ada");
  const grace = known(story.grace, "Grace");
  const path = `/api/v1/ai-assets/${known(story.mcpServer, "the MCP server").id}`;
  const who = (id: string) => (id === ada.userId ? "Ada" : id === grace.userId ? "Grace" : id);
  const rows = (steps: Step[]) =>
    steps.map(({ from, to, actor, reason, guards }) => [
      `${from ?? "·"} → ${to}`,
      who(actor.id),
      reason ?? (guards.length > 0 ? `guards met: ${guards.join(", ")}` : ""),
    ]);

  const lifecycle = (await ada.client.get<List<Step>>(`${path}/lifecycle/history`)).body.items;
  const states = lifecycle.map(({ to }) => to);
  expectSame("the lifecycle history", states, ["production", "validation", "development", "registered"]);
  done("Lifecycle");
  table(["step", "by", "why"], rows(lifecycle));
  const governance = (await ada.client.get<List<Step>>(`${path}/governance-state/history`)).body.items;
  const decisions = governance.map(({ to, actor }) => [to, who(actor.id)]);
  expectSame("the governance history", decisions, [
    ["approved", "Grace"],
    ["under_review", "Ada"],
    ["unreviewed", "Ada"],
  ]);
  done("Governance");
  table(["step", "by", "why"], rows(governance));

  const activity = (await ada.client.get<List<ChainedEvent>>(`${path}/activity?size=100`)).body;
  expectTrue(
    "creation is the first event",
    activity.items.at(-1)?.type === "reeve.asset.created.v1",
    activity.items.at(-1),
  );
  const latest = activity.items[0] as ChainedEvent;
  const one = await ada.client.get<ChainedEvent>(`${path}/activity/${latest.id}`);
  expectSame("one event reads as it does in the list", one.body, latest);
  done(`Activity: ${activity.totalItems} events, each readable by its id`);
  table(
    ["no.", "event", "by"],
    activity.items.slice(0, NEWEST).map(({ sequence, type, authid }) => [String(Number(sequence)), type, who(authid)]),
  );
  if (activity.items.length > NEWEST) note(`and ${activity.items.length - NEWEST} before these`);
}
