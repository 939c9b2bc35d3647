import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Options, resolveOptions } from "#families/options.js";
import { LIMITS, SETTINGS, type SettingKey } from "#families/platform/index.js";
import { collections } from "#reference/index.js";

const families = fileURLToPath(new URL("../../src/families", import.meta.url));
/** Where options and settings are declared. */
const DECLARED = ["options.ts", join("platform", "settings", "fields.ts")];
const sources = readdirSync(families, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !DECLARED.includes(path))
  .map((path) => [path, readFileSync(join(families, path), "utf8")] as const);

/** The options that this setting overrides. */
function optionsBehind(key: SettingKey): string[] {
  const read: string[] = [];
  const options = new Proxy(resolveOptions({ baseUrl: "https://reeve.example" }), {
    get(target, name: string) {
      read.push(name);
      return target[name as keyof Options];
    },
  });
  SETTINGS[key].byDefault(options);
  return read;
}

const keys = Object.keys(SETTINGS) as SettingKey[];
const overridden = [...new Set(keys.flatMap(optionsBehind))];

describe("a setting", () => {
  // Limits are read by the key that a collection names. The rules about limits cover that.
  it.each(keys.filter((key) => !key.startsWith("limits.")))("%s is gone by somewhere", (key) => {
    expect(sources.filter(([, text]) => text.includes(`get("${key}")`)).map(([path]) => path)).not.toEqual([]);
  });

  it("takes the place of some options", () => {
    expect(overridden).toEqual(expect.arrayContaining(["passwordMinLength", "registration", "sqlConsole"]));
  });

  it.each(overridden)("is asked wherever the option %s would be", (option) => {
    const direct = new RegExp(
      `options(?:Of\\([\\w.]+\\))?\\.${option}\\b|\\{[^}]*\\b${option}\\b[^}]*\\} = [\\w.]*options(?:Of)?\\b`,
    );
    expect(sources.filter(([, text]) => direct.test(text)).map(([path]) => path)).toEqual([]);
  });
});

describe("a limit", () => {
  it.each(Object.keys(LIMITS))("%s is kept by one collection and has a setting", (key) => {
    expect(collections.filter(({ limit }) => limit === key)).toHaveLength(1);
    expect(keys).toContain(`limits.${key}`);
  });
});
