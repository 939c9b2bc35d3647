import { copyFileSync, renameSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { thing, things } from "@reeve/testkit";
import { expect, it, onTestFinished } from "vitest";
import { openStore, temporaryFile } from "./support.js";

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

it("O10 a file by a relative path is still there when the process has changed its directory", async () => {
  const { store } = await openStore({ file: relative(process.cwd(), temporaryFile()) });
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir("/");
  await store.forTenant("t").insert(things, thing(1));
  expect((await store.status()).kind).toBe("sqlite");
});
