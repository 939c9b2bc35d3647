import { describe, expect, it } from "vitest";
import { folderImports, folderOf, groupsOf } from "./folder-knots.js";

const CORE = "packages/core/src";

describe("the knots of folders", () => {
  it("reads a resource, a folder of the kernel and a file of an area each as one", () => {
    expect(folderOf(`${CORE}/families/estate/assets/links/links.ts`)).toBe("families/estate/assets");
    expect(folderOf(`${CORE}/families/estate/index.ts`)).toBe("families/estate/index.ts");
    expect(folderOf(`${CORE}/kernel/records/collection.ts`)).toBe("kernel/records");
    expect(folderOf(`${CORE}/store/memory/index.ts`)).toBe("store");
    expect(folderOf(`${CORE}/store/shape.test.ts`)).toBeUndefined();
    expect(folderOf("packages/mcp/src/index.ts")).toBeUndefined();
  });

  it("finds folders that reach each other over a third, and no folder beside them", () => {
    const imports = new Map([
      [`${CORE}/families/a/x/one.ts`, [`${CORE}/families/a/y/two.ts`, `${CORE}/families/a/x/three.ts`]],
      [`${CORE}/families/a/y/two.ts`, [`${CORE}/families/a/z/four.ts`]],
      [`${CORE}/families/a/z/five.ts`, [`${CORE}/families/a/x/one.ts`, `${CORE}/store/row.ts`]],
      [`${CORE}/families/a/above/six.ts`, [`${CORE}/families/a/x/one.ts`]],
    ]);
    expect(groupsOf(folderImports(imports))).toEqual([["families/a/x", "families/a/y", "families/a/z"]]);
  });
});
