import { recompute } from "../chain.js";
import { expectSame, expectTrue, Unexpected } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import { walk } from "../walk.js";
import type { ChainedEvent } from "../wire.js";

interface Verification {
  readonly valid: boolean;
  readonly complete: boolean;
  readonly checked: number;
  readonly headHash: string;
}

/** The event chain is verified by the server, and by the tour from the published events alone. */
export async function prove(story: Story): Promise<void> {
  chapter("The proof", "Every event is chained to the one before; anyone can recompute the chain.");
  const { client } = known(story.ada, "Ada");
  const { body: verified } = await client.get<Verification>("/api/v1/ai-governance/audit/verification");
  expectSame("the server finds its chain whole", [verified.valid, verified.complete], [true, true]);
  done(`The server has checked ${verified.checked} events: valid`);
  note(`head ${verified.headHash}`);

  const { items, pages } = await walk<ChainedEvent>(client, "/api/v1/ai/activity", 100);
  // Jobs of the server may have written more since.
  const events = items.reverse().slice(0, verified.checked);
  expectSame("the walk shows all events that the server has checked", events.length, verified.checked);
  const result = recompute(events);
  if ("fault" in result) throw new Unexpected("the chain recomputes", "every hash fits", result.fault);
  expectSame("both come to the same head", result.head, verified.headHash);
  done(`Recomputed here from ${pages} pages of published events (RFC 8785, SHA-256): the same head`);

  const forged = structuredClone(events);
  const target = known(
    forged.find(({ type, data }) => type.includes("governance_state") && (data as { reason?: string }).reason),
    "a decision with a reason",
  );
  (target.data as { reason: string }).reason += " Really.";
  const forgery = recompute(forged);
  expectTrue("a changed reason is found", "fault" in forgery && forgery.fault.includes(target.id), forgery);
  refused(`One word changed in a copy: found at event ${Number(target.sequence)}`);
  const cut = recompute([...events.slice(0, 10), ...events.slice(11)]);
  expectTrue("a removed event is found", "fault" in cut, cut);
  refused("One event taken out of a copy: found");

  const denials = events.filter(({ type }) => type === "reeve.request.denied.v1").length;
  note(`${denials} of the ${events.length} events are refused attempts: they are on record too.`);
  story.chain = { events: events.length, head: result.head };
}
