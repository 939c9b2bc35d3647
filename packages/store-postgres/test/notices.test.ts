import type { Change, Store } from "@reeve/core/store";
import { account, accounts, setting, settings } from "@reeve/testkit";
import { describe, expect, it, vi } from "vitest";
import { connect, freshStore, openStore } from "./support.js";

/** All notices of a store: `anything` for unknown changes. */
async function listening(store: Store): Promise<string[]> {
  const reported: string[] = [];
  await store.watch?.((change: Change | undefined) => {
    reported.push(change ? `${change.tenantId} ${[...change.collections].join(" ")}` : "anything");
  });
  return reported;
}
const soon = (expectation: () => void) => vi.waitFor(expectation, 10_000);

describe("notices", () => {
  it("reach every store on the database, and none on another", async () => {
    const { store, url } = await freshStore();
    const [near, far, elsewhere] = await Promise.all([
      listening(store),
      listening(openStore(url)),
      listening((await freshStore()).store),
    ]);
    await store.forTenant("t").insert(settings, setting("a", 1));
    await store.forTenant("t").insert(accounts, account(1));
    await soon(() => expect([near, far]).toEqual(Array(2).fill(["anything", "t contract_accounts"])));
    expect(elsewhere).toEqual(["anything"]);
  });

  it("come again after the connection was killed, which may have kept some from being heard", async () => {
    const { store, url } = await freshStore();
    const reported = await listening(openStore(url));
    const admin = await connect(url);
    for (let kill = 1; kill <= 3; kill++) {
      const killed = await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'reeve-notices' and datname = current_database()",
      );
      expect(killed.rowCount).toBe(1);
      await store.forTenant("t").insert(accounts, account(kill));
      await soon(() => expect(reported.filter((one) => one === "anything")).toHaveLength(1 + kill));
      reported.splice(0, reported.length, ...Array(1 + kill).fill("anything"));
      await store.forTenant("t").insert(accounts, account(10 + kill));
      await soon(() => expect(reported.at(-1)).toBe("t contract_accounts"));
      reported.pop();
    }
  });

  it("are listened for once the database can be reached, and closing does not wait for that", async () => {
    const { url } = await freshStore();
    const nowhere = new URL(url);
    nowhere.port = "1";
    const store = openStore(url, { directUrl: nowhere.href, connectionTimeoutMs: 500 });
    expect(await listening(store)).toEqual([]);
    await store.close();
    await expect(store.watch?.(() => {})).rejects.toMatchObject({ code: "closed" });
  });

  it("need a way past a transaction pooler", async () => {
    const { url } = await freshStore();
    expect(openStore(url, { pooler: "transaction" }).watch).toBeUndefined();
    const direct = openStore(url, { pooler: "transaction", directUrl: url });
    expect(await listening(direct)).toEqual(["anything"]);
  });
});
