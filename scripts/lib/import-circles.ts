import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import configuration from "../../.dependency-cruiser.mjs";

/** Every circular import in the workspace, including type imports, as the files on the circle. */
export async function importCircles(): Promise<string[]> {
  const { options = {} } = configuration;
  const { output } = await cruise(
    ["packages", "examples", "bench"],
    {
      ...options,
      validate: true,
      ruleSet: { forbidden: [{ name: "circle", severity: "error", from: {}, to: { circular: true } }] },
    },
    options.enhancedResolveOptions,
    { tsConfig: extractTSConfig("tsconfig.json") },
  );
  if (typeof output === "string") throw new Error("dependency-cruiser gave a text");
  const circles = output.summary.violations.map(({ cycle = [] }) =>
    cycle
      .map(({ name }) => name)
      .sort()
      .join(", "),
  );
  return [...new Set(circles)];
}
