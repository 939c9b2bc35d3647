import { createPublicKey } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { keysIn } from "../src/slice-command.mjs";
import { verifyExport } from "../src/verify-chain.mjs";
import { verifySlice } from "../src/verify-slice.mjs";
import { makeVectors, type Vector } from "./vectors/make-vectors.js";

const folder = fileURLToPath(new URL("../vectors/", import.meta.url));
const published = Object.fromEntries(
  readdirSync(folder).map((file) => [
    file.replace(/\.json$/, ""),
    JSON.parse(readFileSync(`${folder}${file}`, "utf8")) as Vector,
  ]),
);

const reportOf = ({ form, key, lines }: Vector) => {
  const bytes = [Buffer.from(lines.map((line) => `${line}\n`).join(""))];
  return form === "slice"
    ? verifySlice(bytes, { keys: keysIn([key]) })
    : verifyExport(bytes, { key: createPublicKey(key) });
};

describe("the vectors of this package", () => {
  it.each(Object.entries(published))("%s: the verifier says so, and names the reason", async (_name, vector) => {
    const { valid, fault } = await reportOf(vector);
    expect({ valid, reason: fault?.reason ?? "" }).toEqual({
      valid: vector.valid,
      reason: expect.stringContaining(vector.reason ?? ""),
    });
    if (!valid) expect(vector.reason?.length).toBeGreaterThan(5);
  });

  it("are those that an export of today gives (npm run vectors:make)", async () => {
    expect(published).toEqual(await makeVectors());
  });
});
