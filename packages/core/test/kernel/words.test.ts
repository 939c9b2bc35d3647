import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { collections } from "#reference/index.js";

const kernel = fileURLToPath(new URL("../../src/kernel/", import.meta.url));
const files = readdirSync(kernel, { recursive: true, encoding: "utf8" }).filter((name) =>
  /(?<!\.test)\.ts$/.test(name),
);

/** Terms that the kernel shares with areas: the owner of a record, and the principal. */
const SHARED: ReadonlySet<string> = new Set(["tenant", "user"]);

/** The terms of one resource in code: its path, its type, and the prefix of its events. */
const words = collections.flatMap(({ resource }) =>
  resource ? [resource.path, `"${resource.event}.`, ...(SHARED.has(resource.type) ? [] : [`"${resource.type}"`])] : [],
);

it("the kernel names no path, type or event of a resource", () => {
  expect(files.length).toBeGreaterThan(40);
  expect(words.length).toBeGreaterThan(40);
  const code = files.map((file) => [
    file,
    readFileSync(kernel + file, "utf8").replaceAll(/^ *(?:\/\*\*|\*|\/\/).*$/gm, ""),
  ]);
  const named = code.flatMap(([file, text]) =>
    words.filter((word) => text?.includes(word)).map((word) => `${file}: ${word}`),
  );
  expect(named).toEqual([]);
});
