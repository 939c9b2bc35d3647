import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  collections,
  ERRORS,
  KILL_SWITCHES,
  LIMITS,
  machines,
  OWN_EVENTS,
  operations,
  PERMISSIONS,
  REVIEW_ACTIONS,
  ROLES,
  SETTINGS,
} from "@reeve/core/reference";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filesBelow, root } from "../lib/workspace.mjs";
import { staleFiles, writePages } from "./folder.js";
import { anchor, table } from "./markdown.js";
import { referencePages } from "./pages.js";
import { diagram } from "./states.js";

const pages = await referencePages();
const textOf = (file: string) => pages.find((page) => page.file === file)?.text ?? "";

/** An event type, in a call of `emit` or in the options of a write. */
const EMITTED = /(?:emit\(|event = |event: (?:\(\w*\) => \()?)\{\s*type: "([\w.]+)"/g;

describe("the folder of generated pages", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "reeve-docs-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is in order right after it was written", () => {
    writePages(folder, pages);
    expect(staleFiles(folder, pages)).toEqual([]);
  });

  it("is made the same every time", async () => {
    expect(await referencePages()).toEqual(pages);
  });

  it("shows an edited, a missing and a left-over file", () => {
    writePages(folder, pages);
    appendFileSync(join(folder, "states.md"), "by hand\n");
    rmSync(join(folder, "errors.md"));
    writeFileSync(join(folder, "old.md"), "");
    expect(staleFiles(folder, pages)).toEqual([
      { file: "states.md", why: "differs" },
      { file: "errors.md", why: "missing" },
      { file: "old.md", why: "left over" },
    ]);
  });

  it("is put in order by writing, which leaves good files alone", () => {
    writePages(folder, pages);
    writeFileSync(join(folder, "old.md"), "");
    rmSync(join(folder, "errors.md"));
    expect(writePages(folder, pages).map(({ file }) => file)).toEqual(["errors.md", "old.md"]);
    expect(readdirSync(folder).sort()).toEqual(pages.map(({ file }) => file).sort());
  });
});

describe("the generated pages", () => {
  it("name every operation, with its route", () => {
    for (const { id, method, path } of operations) {
      expect(textOf("operations.md")).toContain(`### ${method} ${path}\n`);
      expect(textOf("permissions.md")).toContain(`| \`${id}\` |`);
    }
  });

  it("name every error code, permission and role", () => {
    for (const code of Object.keys(ERRORS)) expect(textOf("errors.md")).toContain(`| \`${code}\` |`);
    for (const permission of Object.keys(PERMISSIONS)) {
      expect(textOf("permissions.md")).toContain(`| \`${permission}\` |`);
    }
    for (const role of Object.keys(ROLES)) expect(textOf("permissions.md")).toContain(`\`${role}\``);
  });

  it("name every setting, kill switch and limit", () => {
    for (const key of [...Object.keys(SETTINGS), ...Object.keys(KILL_SWITCHES), ...Object.keys(LIMITS)])
      expect(textOf("settings.md")).toContain(`| \`${key}\` |`);
  });

  it("show every step of every machine", () => {
    for (const machine of machines) {
      const lines = diagram(machine).split("\n");
      for (const { event, from, to } of machine.transitions) {
        for (const state of from) expect(lines).toContain(`    ${state} --> ${to}: ${event}`);
      }
      expect(textOf("states.md")).toContain(diagram(machine));
    }
  });

  it("leave no cell of the permission matrices blank", () => {
    const matrices = textOf("permissions.md").split("## Operations")[1] ?? "";
    const roles = Object.keys(ROLES).length;
    const rows = matrices.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows.length).toBe(operations.length + machines.flatMap(({ transitions }) => transitions).length);
    for (const row of rows) {
      const cells = row.slice(2, -2).split(" | ").slice(-roles);
      for (const cell of cells) expect(["yes", "no", "anyone", "owner", "second", "people", "time"]).toContain(cell);
    }
  });

  it("name every event type that the sources emit", () => {
    const derived = [
      ...machines.map((machine) => machine.eventType),
      ...collections.flatMap(({ resource }) =>
        resource && !resource.ownEvents
          ? ["created", "updated", "deleted"].map((verb) => `${resource.event}.${verb}`)
          : [],
      ),
    ];
    const sources = filesBelow(join(root, "packages/core/src"), (file) => /(?<!\.test)\.ts$/.test(file));
    const emitted = sources.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(EMITTED)].map(([, type = ""]) => type),
    );
    expect(emitted.length).toBeGreaterThan(0);
    expect([...new Set(emitted)].filter((type) => !derived.includes(type)).sort()).toEqual(
      Object.keys(OWN_EVENTS).sort(),
    );
  });
});

describe("the guide to findings", () => {
  it("says of every review action what it needs and who may", () => {
    const guide = readFileSync(join(root, "docs/guides/findings.md"), "utf8");
    const rows = guide.split("\n").flatMap((line) => {
      const [action = "", _from, needs = "", permission = ""] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      return permission.startsWith("`ai-") ? [[action, needs, permission].map((cell) => cell.replaceAll("`", ""))] : [];
    });
    const wanted = Object.entries(REVIEW_ACTIONS).map(([action, { requires, permission }]) => [
      action,
      requires.join(", "),
      permission,
    ]);
    expect(rows.sort()).toEqual(wanted.sort());
  });
});

describe("markdown", () => {
  it("keeps a cell in its row", () => {
    expect(table(["a"], [["x | y\nz"]])).toBe("| a |\n| --- |\n| x \\| y z |");
  });

  it("links headings as code hosts do", () => {
    expect(anchor("AI Registry & more")).toBe("ai-registry--more");
  });
});

/** Every description in a part of the OpenAPI document, after the path to it. */
function descriptionsOf(part: unknown, path: string): [path: string, text: string][] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === "description" && typeof value === "string" ? [[path, value]] : descriptionsOf(value, `${path}/${key}`),
  );
}

describe("the descriptions of the OpenAPI document", () => {
  it("have three words at least", () => {
    const found = descriptionsOf(JSON.parse(textOf("openapi.json")), "");
    expect(found.length).toBeGreaterThan(1_000);
    expect(found.filter(([, text]) => text.trim().split(/\s+/).length < 3)).toEqual([]);
  });
});
