import type { Json } from "../client.js";
import { expectSame } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import type { Asset, Policy } from "../wire.js";

interface Guarded {
  readonly guards: readonly { readonly key: string; readonly ok: boolean; readonly detail: string }[];
}

/** A gate holds what it guards back at that moment, without any evaluation before. */
export async function holdBack(story: Story): Promise<void> {
  chapter("A gate", "What gates a promotion is asked in the promotion itself; no run has to come before.");
  const ada = known(story.ada, "Ada").client;
  const grace = known(story.grace, "Grace").client;
  const { body: policy } = await ada.post<Policy>("/api/v1/ai-governance/policies", {
    name: "Prompts say what they are for",
    kind: "posture",
    key: `purpose-${story.mark}`,
    status: "observe",
    gate: true,
    severity: "high",
    selector: { assetTypes: ["prompt"] },
    rules: [{ key: "purpose", assert: 'asset.purpose != ""', message: "{asset.name} says of no purpose." }],
    tests: [{ name: "said", input: { asset: { name: "A prompt", purpose: "Sorts mail." } }, expect: "pass" }],
  });
  await grace.put(`/api/v1/ai-governance/policies/${policy.id}`, { status: "active" });
  done(`Ada writes the gate “${policy.name}”, and Grace puts it in force`);

  const { body: prompt } = await ada.post<Asset>("/api/v1/ai-assets", { name: "greeting", assetType: "prompt" });
  const path = `/api/v1/ai-assets/${prompt.id}`;
  const promote = async () => {
    const { body } = await ada.patch<Json & Guarded>(
      `${path}/lifecycle`,
      { status: "production" },
      { expect: 409, code: "transition_guard_failed" },
    );
    return body.guards.find(({ key }) => key === "gatesPass");
  };
  await ada.patch(`${path}/lifecycle`, { status: "development" });
  await ada.patch(`${path}/lifecycle`, { status: "validation" });
  const held = known(await promote(), "the guard of gates");
  expectSame("the gate holds it back", held.ok, false);
  refused("A new prompt on its way to production, which nothing has evaluated: 409 transition_guard_failed");
  note(`gatesPass: ${held.detail}`);
  await ada.put(path, { purpose: "Greets customers by their name." });
  expectSame("the gate is open", (await promote())?.ok, true);
  done("It says what it is for: the gate is open, and its approval is what lacks now");
  story.refusals += 2;
}
