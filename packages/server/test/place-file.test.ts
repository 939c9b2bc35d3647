import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { placeFile } from "../src/service/place-file.js";

const without = (): never => {
  throw Object.assign(new Error("operation not permitted"), { code: "EPERM" });
};

describe.each([
  ["with hard links", undefined],
  ["without them", without],
])("a finished file on a file system %s", (_what, link) => {
  it("comes into place, and over no other", () => {
    const folder = mkdtempSync(join(tmpdir(), "reeve-place-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [part, to] = [join(folder, "x.part"), join(folder, "x")];
    writeFileSync(part, "finished");
    placeFile(part, to, link);
    expect([readFileSync(to, "utf8"), readdirSync(folder)]).toEqual(["finished", ["x"]]);
    writeFileSync(part, "another");
    expect(() => placeFile(part, to, link)).toThrow("is there already");
    expect(readFileSync(to, "utf8")).toBe("finished");
  });
});
