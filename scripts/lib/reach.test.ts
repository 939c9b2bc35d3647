import { describe, expect, it } from "vitest";
import { isReached } from "./reach.js";

const TOOL_RULES = "packages/core/src/families/estate/tools/rules.ts";
const reached = (path: string, ...files: string[]) => files.filter((file) => isReached(file, [path]));

describe("what a change reaches", () => {
  it("is, for a resource, the tests of its area and the rules over the table but the expensive ones", () => {
    const near = [
      "packages/core/src/families/estate/assets/rules.test.ts",
      "packages/core/test/estate/each-store/records.test.ts",
      "packages/core/test/rules/roles.test.ts",
    ];
    const far = [
      "packages/core/src/families/identity/users/rules.test.ts",
      "packages/core/test/identity/each-store/users.test.ts",
      "packages/core/test/rules/tenancy.test.ts",
      "packages/store-sqlite/test/contract.test.ts",
    ];
    expect(reached(TOOL_RULES, ...near, ...far)).toEqual(near);
  });

  it("is, for the kernel, its tests and the same rules", () => {
    const near = [
      "packages/core/src/kernel/async/keyed-coalescer.test.ts",
      "packages/core/test/kernel/table-rules.test.ts",
    ];
    expect(reached("packages/core/src/kernel/operation/page.ts", ...near)).toEqual(near);
  });

  it("is, for a test, the test itself", () => {
    const test = "packages/core/test/rules/tenancy.test.ts";
    expect(reached(test, test, "packages/core/test/rules/roles.test.ts")).toEqual([test]);
  });

  it("is, for another package, the tests of the package", () => {
    const near = "packages/store-sqlite/test/plans.test.ts";
    expect(reached("packages/store-sqlite/src/store.ts", near, "packages/store-sql/test/names.test.ts")).toEqual([
      near,
    ]);
  });

  it("is nothing for pages", () => {
    expect(reached("docs/architecture.md", "packages/core/test/rules/roles.test.ts")).toEqual([]);
    expect(reached("packages/core/README.md", "packages/core/test/rules/roles.test.ts")).toEqual([]);
  });
});
