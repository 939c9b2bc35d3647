import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Actor, Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { FOUR_EYES_PLACES } from "#families/index.js";
import { machines } from "#reference/index.js";
import { createWorld } from "../helpers/world.js";

const reason = "because a test wants it so";
const CONDITIONS = { conditions: [{ key: "log", text: "Log every call." }] };

/** Every transition that requester and owner cannot make. */
const TAKEN_BY_ANOTHER = [
  "assessmentStatus: approve to approved",
  "complianceResult: attest to compliant",
  "complianceResult: exclude to not_applicable",
  "complianceResult: exempt to exempted",
  "decisionApprovalStatus: approve to approved",
  "erasureStatus: approve to approved",
  "exemptionStatus: approve to approved",
  "factorResetStatus: approve to approved",
  "governanceState: approve to approved",
  "governanceState: approve_conditionally to conditionally_approved",
  "governanceState: reinstate to approved",
  "governanceState: reinstate to conditionally_approved",
  "governanceState: reinstate to expired",
  "governanceState: reinstate to unreviewed",
  "governanceState: renew to approved",
  "governanceState: renew to conditionally_approved",
  "toolStatus: approve to approved",
  "toolStatus: renew to approved",
  "watchStatus: approve to watching",
];

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

/** Comparisons of the caller with a record that ask for no four-eyes approver, each with what it is about. */
const OTHER_COMPARISONS: Readonly<Record<string, string>> = {
  "agent-tools/tokens/issue/issue.ts": "a session of one's own",
  "governance/decisions/approvals/fault.ts": "an approval that another caller asked for, which counts for nobody else",
  "doors/authzen/requests/denial.ts": "a denial of one's own, which another caller may not ask about",
  "doors/authzen/requests/operations.ts": "a request of one's own, to read it",
  "connectors/instances/instance-owners.ts": "an owner who hands over",
  "apps/saml-apps/preview-app.ts": "what an application is told of oneself",
  "apps/sign-on/operations.ts": "a nonce of one's own",
  "access-reviews/certifications/items/schema.ts": "who was asked at all",
  "access-reviews/certifications/items/view-item.ts": "a decision of one's own, to show it",
  "access-reviews/certifications/review/delegate.ts": "a decision of one's own, after which nothing is handed on",
  "access-reviews/certifications/review/review.ts": "who is asked at all",
  "access-reviews/certifications/review/vote.ts": "a decision of one's own, in place of which another one comes",
  "access/policies/operations.ts": "an earlier change of one's own, which the new one takes the place of",
  "access-requests/requests/cancel-request.ts": "a request of one's own, to take it back",
  "access-requests/requests/create/create.ts": "a request of one's own, in place of which another one comes",
  "access-requests/requests/decide/approve.ts": "an approval of one's own, which counts once",
  "access-requests/requests/decide/candidates.ts": "who is asked at all",
  "access-requests/requests/follow/rows.ts": "who is asked at all, to find them",
  "access-requests/requests/grant/begin.ts": "an owner who has not asked, to answer for the review",
  "access-requests/requests/rules.ts": "the vote that an exemption came with",
  "access-requests/requests/view/view.ts": "who is asked at all, to show them",
  "reviews/reviews/follow-reviewed.ts": "a request that has become one's own, which one is not kept to decide",
  "reviews/reviews/review-kinds.ts": "who is asked at all, to list what waits for them",
  "reviews/reviews/people-operations.ts": "who asked, to show them, and whom to ask",
  "reviews/reviews/find-deciders.ts": "who asked at all, and who is asked by name",
  "notices/personal-notices/operations.ts": "a notice of one's own",
  "notices/delegations/operations.ts": "a delegation of one's own",
  "reviews/saved-views/operations.ts": "a view of one's own",
  "reviews/reviews/opening/operations.ts": "who asked, to show them by name",
  "reviews/reviews/changes/operations.ts": "what the caller has decided last, to compare with it",
  "reviews/reviews/confirmed-change.ts": "whether a past change of a policy was made or dropped",
  "reviews/reviews/reason-operations.ts": "who has stopped something, to say why",
  "identity/sessions/browser/operations.ts": "whose session it is, to end one's own",
  "compliance/records/schema.ts": "whether anybody has assessed it",
  "governance/exemptions/decide-exemption.ts": "a request of one's own, to take it back",
  "estate/assets/owners/hand-over.ts": "an owner who hands over",
  "estate/assets/owners/parties.ts": "somebody who names themself",
  "estate/assets/impact/users.ts": "how a record refers to another",
  "identity/issuers/verify/linked-users.ts": "the user that an identity was linked to first",
  "sessions/sessions/start/start.ts": "a session of one's own",
  "sessions/sessions/control/control.ts": "a session of one's own",
  "sessions/sessions/report/report.ts": "an enforcement point of one's own",
};
const COMPARISON =
  /[!=]== *[\w.]*(?:userId|principal\.id|requestedBy|askedBy)\b|\b(?:userId|principal\.id|requestedBy|askedBy|by) *[!=]==|includes\([\w.]*userId/;

describe("who is a four-eyes approver", () => {
  const sources = fileURLToPath(new URL("../../src/families/", import.meta.url));
  const compares = readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) => !name.startsWith("accountability/"))
    .filter((name) => COMPARISON.test(readFileSync(`${sources}${name}`, "utf8")));

  it("is told by one function, and by no comparison of ids in an area", () => {
    expect(compares.sort()).toEqual(Object.keys(OTHER_COMPARISONS).sort());
  });

  it.each([
    "if (asked.by === by) throw",
    "exemption.requestedBy !== ctx.principal.userId",
    "[userId, username].includes(approval.userId)",
  ])("would be seen to be compared in %s", (example) => {
    expect(example).toMatch(COMPARISON);
  });
});

describe("a decision outside machines", () => {
  const sources = fileURLToPath(new URL("../../src/families/", import.meta.url));
  const texts = readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("accountability/"))
    .map((name) => readFileSync(`${sources}${name}`, "utf8"));

  it("that takes a four-eyes approver stands in the table", () => {
    const declared = texts.flatMap((text) => [...text.matchAll(/defineFourEyes\(\s*"([^"]+)"/g)].map(([, act]) => act));
    expect(declared.sort()).toEqual(FOUR_EYES_PLACES.map(({ act }) => act).sort());
  });

  it("is judged under the name that the table has", () => {
    const judging = texts.filter((text) => text.includes("requireFourEyes(ctx"));
    expect(judging.length).toBeGreaterThan(2);
    expect(judging.filter((text) => !/\bact: \w+\.act\b/.test(text) || /\bact: ["`]/.test(text))).toEqual([]);
  });
});

describe("a four-eyes approver", () => {
  it("takes these decisions and no others", () => {
    const found = machines.flatMap(({ name, transitions }) =>
      transitions.filter(({ fourEyes }) => fourEyes).map(({ event, to }) => `${name}: ${event} to ${to}`),
    );
    expect(found.sort()).toEqual(TAKEN_BY_ANOTHER);
  });

  describe.each(["a", "b"] as const)("in tenant %s", (name) => {
    const decide = (scene: Scene, id: string, who: Actor, status: string) =>
      scene.send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, {
        token: who.token,
        body: { status, reason, ...(status === "conditionally_approved" ? { configuration: CONDITIONS } : {}) },
      });
    const stateOf = async ({ send, owner }: Scene, id: string) =>
      (await send("GET", `/api/v1/ai-assets/${id}`, { token: owner.token })).json.governanceState;

    it.each(["approved", "conditionally_approved"])("makes an asset %s, and not who asked for it", async (status) => {
      const scene = world[name];
      const { approver } = scene.actors;
      const id = await scene.newAsset();
      expect((await decide(scene, id, approver, "under_review")).status).toBe(200);
      const own = await decide(scene, id, approver, status);
      expect([own.status, own.json.code]).toEqual([403, "self_approval_forbidden"]);
      expect(await stateOf(scene, id)).toBe("under_review");
      expect((await decide(scene, id, scene.actors.admin, status)).json.governanceState).toBe(status);
    });

    it.each(["approved", "conditionally_approved"])("makes an asset %s, and not who owns it", async (status) => {
      const scene = world[name];
      const { approver, operator } = scene.actors;
      const id = await scene.newAsset({ owner: { type: "user", id: approver.userId } });
      expect((await decide(scene, id, operator, "under_review")).status).toBe(200);
      const own = await decide(scene, id, approver, status);
      expect([own.status, own.json.code]).toEqual([403, "self_approval_forbidden"]);
      const { owner: stranger } = world[name === "a" ? "b" : "a"];
      expect((await decide(scene, id, stranger, status)).status).toBe(404);
      expect(await stateOf(scene, id)).toBe("under_review");
      expect((await decide(scene, id, scene.actors.admin, status)).json.governanceState).toBe(status);
    });
  });
});
