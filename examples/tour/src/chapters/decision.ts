import { expectSame } from "../expectation.js";
import { chapter, done, note, refused } from "../page.js";
import { known, type Story } from "../story.js";
import type { Decision, Policy } from "../wire.js";

const EVALUATE = "/api/v1/ai/policies/evaluate";

/** A host asks for decisions before it acts, and learns why an action is denied. */
export async function decideRequests(story: Story): Promise<void> {
  chapter("May it do that?", "A host asks before every act; what no policy allows is denied, and the answer says why.");
  const ada = known(story.ada, "Ada").client;
  const tool = known(
    story.tools.find(({ status, governanceState }) => status === "production" && governanceState === "approved"),
    "an approved tool in production",
  );
  const rule = (key: string, effect: string, condition: string, message: string) => ({
    key,
    effect,
    if: condition,
    message,
  });
  const { body: policy } = await ada.post<Policy>("/api/v1/ai-governance/policies", {
    name: "Calls of tools",
    kind: "runtime",
    key: `calls-${story.mark}`,
    rules: [
      rule("approved", "allow", 'asset.governanceState == "approved"', "The tool is approved."),
      rule(
        "secrets",
        "deny",
        'has(action.properties.path) && string(action.properties.path).like("*/.ssh/*")',
        "Nobody reads keys through a tool.",
      ),
    ],
    tests: [
      {
        name: "approved",
        input: { asset: { governanceState: "approved" }, action: { name: "call", properties: {} } },
        expect: "allow",
      },
      {
        name: "keys",
        input: {
          asset: { governanceState: "approved" },
          action: { name: "call", properties: { path: "/home/a/.ssh/id" } },
        },
        expect: "deny",
      },
    ],
  });
  done("Ada writes a policy over calls of tools; its tests pass");
  const path = `/api/v1/ai-governance/policies/${policy.id}`;
  await ada.put(path, { status: "active" }, { expect: 403, code: "self_approval_forbidden" });
  refused("Ada puts in force what she has written: 403 self_approval_forbidden");
  await known(story.grace, "Grace").client.put(path, { status: "active" });
  done("Grace puts it in force");
  story.refusals += 1;
  const ask = async (path: string) => {
    const { body } = await ada.post<Decision>(EVALUATE, {
      subject: { type: "user", id: "clerk" },
      action: { name: "call", properties: { path } },
      resource: { type: "tool", id: tool.id },
    });
    return body;
  };
  const allowed = await ask("/srv/notes.txt");
  expectSame("an ordinary call is allowed", [allowed.decision, allowed.status], [true, "allow"]);
  done(`${tool.name} on /srv/notes.txt: allow`);
  const denied = await ask("/home/ada/.ssh/id_ed25519");
  expectSame("a call for keys is denied", [denied.decision, denied.status], [false, "deny"]);
  refused(`${tool.name} on /home/ada/.ssh/id_ed25519: deny`);
  for (const { policyKey, ruleKey, message } of denied.context.reasons) note(`${policyKey}/${ruleKey}: ${message}`);
  story.refusals += 1;
}
