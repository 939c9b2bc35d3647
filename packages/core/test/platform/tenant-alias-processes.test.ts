import { createWorld } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { storeAt } from "../helpers/address.js";
import { DnsServer } from "../helpers/dns-server.js";
import { claim, DOMAIN, HALF_MINUTE, look, release } from "../helpers/domains.js";
import { eventsOf } from "../helpers/facts.js";
import { Planes, sending } from "../helpers/planes.js";
import { emptyDatabase } from "../helpers/stores.js";
import { undoLater } from "../helpers/undo.js";

const rounds = [1, 2, 3, 4, 5];

describe.each(["sqlite", "postgres"] as const)("two processes on one %s database", (kind) => {
  it("give a domain that two tenants have proven to one of them, whoever looks", async () => {
    const address = await emptyDatabase(kind);
    const store = storeAt(address);
    undoLater(() => store.close());
    const dns = await DnsServer.start();
    const config = { dnsServers: [dns.address], tokenLifetime: 86_400 };
    const { a, b, clock } = await createWorld({ ...config, store, ids: ulidSource() });
    const planes = await Planes.start(2, { address, config });
    for (const round of rounds) {
      const domain = `processes-${round}.example.com`;
      const proofs = [await claim(a, domain), await claim(b, domain)];
      dns.publish(proofs[0]?.json.verification.name, ...proofs.map(({ json }) => json.verification.value as string));
      clock.advance(HALF_MINUTE);
      planes.now = new Date(clock.now()).toISOString();
      const asked = dns.asked.length;
      const see = (token: string) => sending("GET", DOMAIN, { token });
      await planes.all(see(a.owner.token), see(b.owner.token));
      // Both have asked. One asks once more where the other was before it.
      expect(dns.asked.length - asked).toBeGreaterThanOrEqual(2);
      const outcome = [await look(a), await look(b)];
      expect(outcome.map(({ json }) => json.aliasStatus).sort()).toEqual(["active", "failed"]);
      const moves = [...(await eventsOf(a)), ...(await eventsOf(b))].map(({ attributes }) => JSON.parse(attributes));
      expect(moves.filter(({ type, tostate }) => type.includes("alias_status") && tostate === "active")).toHaveLength(
        round,
      );
      for (const scene of [a, b]) await release(scene);
    }
  });
});
