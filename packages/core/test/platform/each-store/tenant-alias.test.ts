import { beforeEach, describe, expect, it } from "vitest";
import { claim, DOMAIN, HALF_MINUTE, HOUR, look, prove, release, renewOwner } from "../../helpers/domains.js";
import { eventsOf, eventTypes } from "../../helpers/facts.js";
import { createDomainWorld } from "../../helpers/world.js";

const ALIAS = "ai.example.com";
const DAY = 24 * HOUR;

let world: Awaited<ReturnType<typeof createDomainWorld>>;
beforeEach(async () => {
  world = await createDomainWorld();
});

/** Advances the clock and renews tokens, which may have expired. */
async function later(milliseconds: number): Promise<void> {
  world.clock.advance(milliseconds);
  await renewOwner(world.a);
  await renewOwner(world.b);
}

describe("an alias", () => {
  it("is claimed, and active once its record is seen", async () => {
    const { a, dns, clock } = world;
    const none = await look(a);
    expect(none.json).toMatchObject({ alias: null, aliasStatus: "none", verification: null, checkedAt: null });
    expect(none.json.tenantUrl).toBe(`https://${none.json.subdomain}.reeve.example`);
    const before = (await eventsOf(a)).length;
    const claimed = await claim(a, "AI.Example.COM.");
    expect(claimed.json).toMatchObject({
      alias: ALIAS,
      status: "pending_verification",
      aliasStatus: "pending_verification",
      verification: { type: "TXT", name: `_reeve-challenge.${ALIAS}`, claimEndsAt: "2026-01-12T09:00:00.000Z" },
      tenantUrl: none.json.tenantUrl,
      lastCheck: null,
    });
    expect(await eventTypes(a, before)).toEqual(["tenant.alias_status.changed"]);
    dns.publish(claimed.json.verification.name, "v=spf1 -all", claimed.json.verification.value);
    clock.advance(HALF_MINUTE);
    const active = await look(a);
    expect(active.json).toMatchObject({
      alias: ALIAS,
      aliasStatus: "active",
      tenantUrl: `https://${ALIAS}`,
      lastCheck: "proven",
      checkedAt: "2026-01-05T09:00:30.000Z",
      verification: { claimEndsAt: null },
    });
    const last = (await eventsOf(a)).at(-1);
    expect(JSON.parse(last?.data as string)).toMatchObject({
      from: "pending_verification",
      to: "active",
      triggeredBy: "policy",
    });
  });

  it.each([
    ["name", { name: ALIAS }],
    ["configuration.domain", { configuration: { domain: ALIAS } }],
    ["domain", { domain: ALIAS }],
    ["both, alike", { name: "AI.example.com", configuration: { domain: ALIAS } }],
  ])("stands in the body as %s", async (_where, body) => {
    const { a } = world;
    const answer = await a.send("PUT", `${DOMAIN}/alias`, { token: a.owner.token, body });
    expect(answer.json).toMatchObject({ alias: ALIAS, aliasStatus: "pending_verification" });
  });

  it.each([
    ["/name", { name: "co.uk" }],
    ["/name", { name: "reeve.example" }],
    ["/name", {}],
    ["/configuration/domain", { configuration: { domain: "127.0.0.1" } }],
    ["/configuration/domain", { configuration: { domain: 7 } }],
    ["/configuration/other", { name: ALIAS, configuration: { other: 1 } }],
    ["/name", { name: ALIAS, configuration: { domain: "other.example.com" } }],
    ["/subdomain", { name: ALIAS, subdomain: "other" }],
    ["/metadata", { name: ALIAS, metadata: { text: "x".repeat(33_000) } }],
  ])("is refused at %s: %j", async (pointer, body) => {
    const { a } = world;
    const answer = await a.send("PUT", `${DOMAIN}/alias`, { token: a.owner.token, body });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toMatchObject([{ pointer }]);
    expect((await look(a)).json.aliasStatus).toBe("none");
  });

  it("can be put back as it was read, with metadata and properties of the caller's own", async () => {
    const { a } = world;
    const body = { name: ALIAS, metadata: { team: "web" }, attributes: { own: 1 } };
    await a.send("PUT", `${DOMAIN}/alias`, { token: a.owner.token, body });
    const read = await look(a);
    expect(read.json).toMatchObject({ metadata: { team: "web" }, attributes: { own: 1 } });
    const again = await a.send("PUT", `${DOMAIN}/alias`, { token: a.owner.token, body: read.json });
    expect(again.status).toBe(200);
    expect(again.json).toMatchObject({ alias: ALIAS, metadata: { team: "web" }, attributes: { own: 1 } });
  });

  it("moves by the record in the DNS only", async () => {
    const { a } = world;
    for (const status of ["active", "failed", "none", "nowhere"]) {
      const answer = await a.send("PUT", `${DOMAIN}/alias`, { token: a.owner.token, body: { name: ALIAS, status } });
      expect(answer.json).toMatchObject({ status: 409, code: "invalid_transition", current: "none" });
    }
  });

  it("asks for If-Match where one is sent", async () => {
    const { a } = world;
    const { headers } = await look(a);
    const send = (method: string, etag: string | undefined) =>
      a.send(method, `${DOMAIN}/alias`, {
        token: a.owner.token,
        headers: { "if-match": etag },
        ...(method === "PUT" ? { body: { name: ALIAS } } : {}),
      });
    expect((await send("PUT", '"99"')).status).toBe(412);
    const put = await send("PUT", headers.etag);
    expect(put.status).toBe(200);
    expect((await send("DELETE", headers.etag)).status).toBe(412);
    expect((await send("DELETE", put.headers.etag)).status).toBe(204);
  });
});

describe("looking at the DNS", () => {
  it("waits half a minute, and then one question serves all who ask at once", async () => {
    const { a, dns, clock } = world;
    await claim(a, ALIAS);
    await look(a);
    expect(dns.asked).toEqual([]);
    clock.advance(HALF_MINUTE);
    const answers = await Promise.all(Array.from({ length: 20 }, () => look(a)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(dns.asked).toEqual([`_reeve-challenge.${ALIAS}`]);
    expect((await look(a)).json).toMatchObject({ aliasStatus: "pending_verification", lastCheck: "absent" });
  });

  it("happens when the alias is put again, at most every half minute", async () => {
    const { a, dns, clock } = world;
    const { verification } = (await claim(a, ALIAS)).json;
    expect((await claim(a, ALIAS)).json).toMatchObject({ aliasStatus: "pending_verification", lastCheck: "absent" });
    dns.publish(verification.name, verification.value);
    expect((await claim(a, ALIAS)).json.aliasStatus).toBe("pending_verification");
    expect(dns.asked).toHaveLength(1);
    clock.advance(HALF_MINUTE);
    const asked = await a.send("PUT", `${DOMAIN}/alias`, { token: a.owner.token, body: {} });
    expect(asked.json).toMatchObject({ aliasStatus: "active", lastCheck: "proven" });
    clock.advance(HALF_MINUTE);
    expect((await claim(a, ALIAS)).json.aliasStatus).toBe("active");
    expect(dns.asked).toHaveLength(3);
  });

  it("happens on tick", async () => {
    const { a, dns, clock, controlPlane } = world;
    const { verification } = (await claim(a, ALIAS)).json;
    dns.publish(verification.name, verification.value);
    expect(await controlPlane.tick()).toEqual({ done: 0, failed: 0 });
    clock.advance(HALF_MINUTE);
    expect(await controlPlane.tick()).toEqual({ done: 1, failed: 0 });
    expect(await controlPlane.tick()).toEqual({ done: 0, failed: 0 });
    expect((await look(a)).json.aliasStatus).toBe("active");
    expect(dns.asked).toHaveLength(1);
  });

  it("takes no other text for the proof, wherever it stands", async () => {
    const { a, b, dns, clock } = world;
    const { verification } = (await claim(a, ALIAS)).json;
    const others = (await claim(b, ALIAS)).json.verification.value;
    const { name, value } = verification;
    expect(others).not.toBe(value);
    dns.publish(ALIAS, value);
    dns.publish(`www.${name}`, value);
    dns.publish(name, others, `${value}x`, value.slice(0, -1), ` ${value}`, value.toUpperCase(), value.split("=")[1]);
    clock.advance(HALF_MINUTE);
    expect((await look(a)).json).toMatchObject({ aliasStatus: "pending_verification", lastCheck: "absent" });
    dns.publish(name, [value.slice(0, 5), value.slice(5)]);
    clock.advance(HALF_MINUTE);
    expect((await look(a)).json.aliasStatus).toBe("active");
  });

  it.each(["fails", "is silent"] as const)("says so, and nothing else changes, when the server %s", async (manner) => {
    const { a, dns, clock } = world;
    const { name, value } = await prove(world, a, ALIAS);
    await claim(world.b, "other.example.com");
    dns.manner = manner;
    await later(30 * HOUR);
    expect((await look(a)).json).toMatchObject({ aliasStatus: "active", lastCheck: "unreachable" });
    expect((await look(world.b)).json).toMatchObject({ aliasStatus: "pending_verification", lastCheck: "unreachable" });
    dns.manner = "answers";
    dns.publish(name, value);
    clock.advance(HOUR);
    expect((await look(a)).json).toMatchObject({ aliasStatus: "active", lastCheck: "proven" });
  });
});

describe("an alias in time", () => {
  it("is a failed claim after seven days, whether a tick has run or not, and can be claimed again with the same record", async () => {
    const { a, dns, clock, controlPlane } = world;
    const { verification } = (await claim(a, ALIAS)).json;
    await later(7 * DAY - 1);
    expect((await look(a)).json.aliasStatus).toBe("pending_verification");
    clock.advance(1);
    expect((await look(a)).json.aliasStatus).toBe("failed");
    await controlPlane.tick();
    await controlPlane.tick();
    const failures = (await eventsOf(a)).filter(({ attributes }) => JSON.parse(attributes).tostate === "failed");
    expect(failures.map(({ data }) => JSON.parse(data as string).event)).toEqual(["expire"]);
    dns.publish(verification.name, verification.value);
    clock.advance(HALF_MINUTE);
    expect((await look(a)).json.aliasStatus).toBe("failed");
    expect((await claim(a, ALIAS)).json).toMatchObject({
      aliasStatus: "pending_verification",
      verification: { name: verification.name, value: verification.value },
    });
    clock.advance(HALF_MINUTE);
    expect((await look(a)).json.aliasStatus).toBe("active");
  });

  it("stays active for three days without its record, then is lost and anybody's", async () => {
    const { a, b, dns, controlPlane } = world;
    const { name } = await prove(world, a, ALIAS);
    dns.withdraw(name);
    await later(24 * HOUR);
    await controlPlane.tick();
    expect((await look(a)).json).toMatchObject({ aliasStatus: "active", lastCheck: "absent" });
    expect((await claim(b, ALIAS)).json.code).toBe("alias_unavailable");
    await later(71 * HOUR);
    await controlPlane.tick();
    expect((await look(a)).json.aliasStatus).toBe("active");
    await later(HOUR);
    await controlPlane.tick();
    expect((await look(a)).json).toMatchObject({ alias: ALIAS, aliasStatus: "failed", lastCheck: "absent" });
    await prove(world, b, ALIAS);
  });

  it("starts its days of grace afresh when the record was there in between", async () => {
    const { a, dns, controlPlane } = world;
    const { name, value } = await prove(world, a, ALIAS);
    for (const _round of [1, 2]) {
      dns.withdraw(name);
      await later(50 * HOUR);
      await controlPlane.tick();
      dns.publish(name, value);
      await later(2 * HOUR);
      await controlPlane.tick();
    }
    expect((await look(a)).json).toMatchObject({ aliasStatus: "active", lastCheck: "proven" });
  });
});

describe("a released alias", () => {
  it("is gone, its record proves nothing any more, and releasing nothing is no mistake", async () => {
    const { a, b, clock, dns } = world;
    const { name, value } = await prove(world, a, ALIAS);
    expect((await release(a)).status).toBe(204);
    expect((await release(a)).status).toBe(204);
    expect((await look(a)).json).toMatchObject({ alias: null, aliasStatus: "none", verification: null });
    const again = (await claim(a, ALIAS)).json;
    expect(again.verification.value).not.toBe(value);
    clock.advance(HALF_MINUTE);
    expect((await look(a)).json.aliasStatus).toBe("pending_verification");
    const others = (await claim(b, ALIAS)).json.verification.value;
    dns.publish(name, value, others);
    clock.advance(HALF_MINUTE);
    expect((await look(b)).json.aliasStatus).toBe("active");
  });

  it("is what the former one is when another is claimed", async () => {
    const { a, b } = world;
    await prove(world, a, ALIAS);
    expect((await claim(a, "new.example.com")).json).toMatchObject({
      alias: "new.example.com",
      aliasStatus: "pending_verification",
    });
    expect((await claim(a, "newer.example.com")).json.alias).toBe("newer.example.com");
    await prove(world, b, ALIAS);
  });
});
