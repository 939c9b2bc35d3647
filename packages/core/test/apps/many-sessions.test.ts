import { samlEngine } from "@reeve/saml";
import { newApp, newSignOn } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { createWorld } from "../helpers/world.js";

describe("the sessions of one person", () => {
  it("are a hundred at all applications, because the oldest end with the next sign-on", async () => {
    // Nobody reads the responses of so many.
    const world = await createWorld({ saml: { ...samlEngine(), writeResponse: async () => "eA==" } });
    const caller = await world.a.newUser(["member"]);
    const first = await newApp(world.a);
    await newSignOn(world.a, caller, first);
    for (let at = 0; at < 5; at += 1) {
      const app = await newApp(world.a);
      for (let times = 0; times < 20; times += 1) await newSignOn(world.a, caller, app);
    }
    const path = `/api/v1/saml-apps/${first.id}/sessions`;
    const { json } = await world.send("GET", path, { token: world.a.owner.token });
    expect(json.items).toMatchObject([{ state: "ended", endReason: "too_many_sessions" }]);
    expect((await world.send("GET", "/slo", { token: caller.token })).json.items).toHaveLength(100);
  });

  it("end by a logout that leaves the event loop to others between signatures", async () => {
    const engine = samlEngine();
    let turns = 0;
    const signedIn: number[] = [];
    const world = await createWorld({
      saml: {
        ...engine,
        writeLogoutRequest(draft, subject) {
          signedIn.push(turns);
          // As long as some signatures take.
          for (const until = performance.now() + 30; performance.now() < until; );
          return engine.writeLogoutRequest(draft, subject);
        },
      },
    });
    const caller = await world.a.newUser(["member"]);
    const app = await newApp(world.a, { sloBinding: "redirect" });
    for (let times = 0; times < 4; times += 1) await newSignOn(world.a, caller, app);
    let goesOn = true;
    const turn = () => {
      turns += 1;
      if (goesOn) setImmediate(turn);
    };
    turn();
    expect((await world.send("GET", "/slo", { token: caller.token })).json.items).toHaveLength(4);
    goesOn = false;
    expect(new Set(signedIn).size).toBe(4);
  });
});
