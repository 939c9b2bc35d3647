import { expectSame } from "../expectation.js";
import { chapter, done, refused } from "../page.js";
import { known, type Story } from "../story.js";
import type { List } from "../wire.js";
import { register } from "./tenant.js";

/** Another tenant of the same server sees none of this, not even that it exists. */
export async function lookFromNextDoor(story: Story): Promise<void> {
  chapter("The neighbour", "Another tenant of the same server looks for our assets.");
  const { person } = await register(story, `Globex ${story.mark}`, "Mallory", `globex-${story.mark}`);
  done("Globex is registered; Mallory, its owner, has signed in");
  const ours = known(story.mcpServer, "the MCP server").id;
  const never = `ast_${"0".repeat(26)}`;
  const asked = { expect: 404, code: "not_found", headers: { "x-request-id": `neighbour-${story.mark}` } };
  for (const rest of ["", "/activity", "/lifecycle/history", "/effective"]) {
    const foreign = await person.client.get(`/api/v1/ai-assets/${ours}${rest}`, asked);
    const absent = await person.client.get(`/api/v1/ai-assets/${never}${rest}`, asked);
    expectSame(`a foreign id answers like one that never was (${rest || "/"})`, foreign.text, absent.text);
  }
  refused("Reading our server, its activity, history and decision: 404, byte for byte like an id that never was");
  const lifecycle = `/api/v1/ai-assets/${ours}/lifecycle`;
  await person.client.patch(lifecycle, { status: "retired", reason: "Not mine to retire at all." }, asked);
  await person.client.get(`/api/v1/ai/activity/${ours}`, asked);
  refused("Retiring it, or asking for its events: 404");
  story.refusals += 7;
  const { body } = await person.client.get<List<unknown>>("/api/v1/ai-assets");
  expectSame("the neighbour's estate is empty", body.totalItems, 0);
  done("Mallory's own list: 0 assets");
}
