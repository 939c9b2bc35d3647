import { expectSame } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import type { Asset } from "../wire.js";

interface Decision {
  readonly decision: string;
  readonly reasons: string[];
}

/** A tool is suspended at once, with a reason that every reader sees. */
export async function stopTool(story: Story): Promise<void> {
  chapter("Emergency stop", "A suspension takes effect at once; the effective decision says so and why.");
  const grace = known(story.grace, "Grace");
  const live = story.tools.filter(({ status }) => status === "production");
  const tool = known(live.find(({ name }) => name === "gzip-file-as-resource") ?? live[0], "a tool in production");
  const path = `/api/v1/ai-assets/${tool.id}`;
  const effective = async () => (await grace.client.get<Decision>(`${path}/effective`)).body;

  expectSame("the tool may be used", (await effective()).decision, "allow");
  done(`${tool.name}: allow`);
  const reason = "It fetches any address it is given; under investigation.";
  const { body: stopped } = await grace.client.patch<Asset>(`${path}/governance-state`, {
    status: "suspended",
    reason,
  });
  story.tools = story.tools.map((one) => (one.id === stopped.id ? stopped : one));
  done(`Grace suspends it: “${reason}”`);
  const { decision, reasons } = await effective();
  expectSame("the tool is denied", [decision, reasons], ["deny", ["governance_state:suspended"]]);
  refused(`${tool.name}: deny (${reasons.join(", ")})`);
  note("It is still in production: what is stopped is its use, and Grace can reinstate it.");
}
