import { copyFileSync, renameSync, rmSync } from "node:fs";
import { thing, things } from "@reeve/testkit";
import { expect, it } from "vitest";
import { openStore } from "./support.js";

it.each([
  ["deleted", (file: string) => rmSync(file)],
  [
    "replaced",
    (file: string) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  ],
])(
  "O10 writes are refused once the file is %s under the process, and nothing is told to be stored",
  async (what, act) => {
    const { store, file } = await openStore();
    const tenant = store.forTenant("t");
    await tenant.insert(things, thing(1));
    act(file);
    const refused = await Promise.all([2, 3].map((n) => tenant.insert(things, thing(n)).catch((error) => error)));
    for (const error of refused)
      expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining(what) });
    await expect(store.status()).rejects.toMatchObject({ code: "unavailable" });
    expect((await tenant.count(things)).count).toBe(1);
  },
);
