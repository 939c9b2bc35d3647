import { afterEach, describe, expect, it } from "vitest";
import { scim } from "../../src/scim/index.js";
import { SCIM_TOKEN, type ScimProvider, startScimProvider } from "../support/scim-provider.js";
import { type Governed, governed, REASON } from "./bench.js";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let provider: ScimProvider | undefined;
afterEach(() => provider?.close());

/** A provider that takes members, and shows none until it is told to. The access is asked for. */
async function hiding(): Promise<{ readonly one: Governed; readonly target: ScimProvider }> {
  const users = ["u1", "u9"].map((id) => ({ id, userName: `${id}@acme.example` }));
  provider = await startScimProvider(users, [{ id: "g1", displayName: "Admins", members: [{ value: "u9" }] }]);
  const one = await governed({
    ...{ connector: scim(), configuration: { baseUrl: provider.url }, secrets: { token: SCIM_TOKEN } },
    ...{ resourceType: "group", resource: "g1", profile: "member" },
    principal: { type: "user", externalId: "u1" },
  });
  expect((await one.act("repair", { ...REASON, action: "grant" })).json).toMatchObject({ action: "grant" });
  provider.hidesMembers = true;
  return { one, target: provider };
}

const turns = async (one: Governed, times: number, pause = MINUTE) => {
  for (let turn = 0; turn < times; turn += 1) {
    await one.tick();
    one.advance(pause);
  }
};

describe("a SCIM provider that shows no members of its groups", () => {
  it("is asked once for the access, and nobody says that it lacks what it took", async () => {
    const { one, target } = await hiding();
    await turns(one, 10);
    expect(target.patches, "the grant is sent once").toHaveLength(1);
    expect(await one.read()).toMatchObject({
      ...{ status: "active", targetState: "unknown", effective: true },
      unknown: { because: "not_shown", settledBy: expect.any(String) },
    });
    expect((await one.act("verify")).json).toMatchObject({
      ...{ presence: "unknown", authoritative: false, targetState: "unknown", driftId: null },
      unknown: { because: "not_shown" },
    });
    const { scan, drift } = await one.compare();
    expect(scan).toMatchObject({ status: "partial", complete: false, counts: { listed: 0 } });
    expect(drift, "the repair that sent the grant goes on, and no scan adds to it").toMatchObject([
      { status: "repairing", detectedBy: "verify", recurrence: 1 },
    ]);
  });

  it("is asked for the end in any case, and what it shows then is not taken for gone", async () => {
    const { one, target } = await hiding();
    await turns(one, 3);
    expect(target.membersOf("g1")).toEqual(["u9", "u1"]);
    await one.act("revoke", REASON);
    await turns(one, 3);
    expect(target.membersOf("g1"), "the removal was sent").toEqual(["u9"]);
    expect(await one.read()).toMatchObject({
      ...{ status: "revoked", targetState: "unknown" },
      unknown: { because: "not_shown_gone" },
    });
  });

  it("is believed again as soon as it shows what it has, however late", async () => {
    const { one, target } = await hiding();
    await turns(one, 3);
    target.hidesMembers = false;
    await turns(one, 10, 5 * MINUTE);
    expect(await one.read()).toMatchObject({ status: "active", targetState: "present", unknown: null });
    expect((await one.compare()).scan).toMatchObject({ status: "complete", complete: true });
    await one.act("revoke", REASON);
    await turns(one, 3);
    expect(await one.read()).toMatchObject({ status: "revoked", targetState: "absent", unknown: null });
  });

  it("is looked at for a day, and a scan that lists the member settles it after that", async () => {
    const { one, target } = await hiding();
    await turns(one, 13, DAY / 14);
    target.hidesMembers = false;
    expect(await one.read()).toMatchObject({ targetState: "unknown" });
    await one.compare();
    expect(await one.read()).toMatchObject({ targetState: "present", observedBy: "sync", unseenSince: null });
  });
});
