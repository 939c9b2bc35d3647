import { describe, expect, it } from "vitest";
import { claim, HALF_MINUTE, look, release } from "../../helpers/domains.js";
import { createDomainWorld } from "../../helpers/world.js";

const rounds = [1, 2, 3, 4, 5];
const statesOf = (answers: readonly { json: { aliasStatus: string } }[]) => answers.map(({ json }) => json.aliasStatus);

describe("two tenants that have proven one domain", () => {
  it.each(rounds)("race for it, and one gets it (round %i)", async (round) => {
    const world = await createDomainWorld();
    const { a, b, dns, clock } = world;
    const domain = `race-${round}.example.com`;
    const proofs = await Promise.all([claim(a, domain), claim(b, domain)]);
    expect(statesOf(proofs)).toEqual(["pending_verification", "pending_verification"]);
    const [{ name }] = proofs.map(({ json }) => json.verification) as [{ name: string }];
    dns.publish(name, ...proofs.map(({ json }) => json.verification.value as string));
    clock.advance(HALF_MINUTE);
    const seen = await Promise.all([look(a), look(b), look(b), look(a)]);
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const outcome = [await look(a), await look(b)];
    expect(statesOf(outcome).sort()).toEqual(["active", "failed"]);
    const [winner, loser] = outcome[0]?.json.aliasStatus === "active" ? [a, b] : [b, a];
    expect((await look(loser)).json.lastCheck).toBe("taken");
    const refused = await claim(loser, domain);
    expect([refused.status, refused.json.code]).toEqual([409, "alias_unavailable"]);
    expect(refused.text).not.toContain(winner.tenantId);
    expect(refused.text).not.toContain(winner.sentinel);
    await release(winner);
    expect((await claim(loser, domain)).json.aliasStatus).toBe("pending_verification");
    clock.advance(HALF_MINUTE);
    expect((await look(loser)).json.aliasStatus).toBe("active");
  });

  it.each(rounds)("and ask for it at once: the other is told that it is unavailable (round %i)", async (round) => {
    const { a, b, dns } = await createDomainWorld();
    const domain = `ask-${round}.example.com`;
    const proofs = await Promise.all([claim(a, domain), claim(b, domain)]);
    dns.publish(proofs[0]?.json.verification.name, ...proofs.map(({ json }) => json.verification.value as string));
    const answers = await Promise.all([claim(a, domain), claim(b, domain)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 200)?.json.aliasStatus).toBe("active");
  });

  it.each(rounds)("and one of them changes its mind while it is looked up (round %i)", async (round) => {
    const { a, dns, clock } = await createDomainWorld();
    const { verification } = (await claim(a, `first-${round}.example.com`)).json;
    dns.publish(verification.name, verification.value);
    clock.advance(HALF_MINUTE);
    const [, moved] = await Promise.all([look(a), claim(a, "second.example.com")]);
    expect(moved.json).toMatchObject({ alias: "second.example.com", aliasStatus: "pending_verification" });
    expect((await look(a)).json).toMatchObject({ alias: "second.example.com", aliasStatus: "pending_verification" });
  });
});
