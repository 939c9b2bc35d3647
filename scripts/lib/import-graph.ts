import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import configuration from "../../.dependency-cruiser.mjs";

/** Which files of the workspace import which, type imports included. */
export interface ImportGraph {
  /** Each circular import, as the files on the circle. */
  readonly circles: readonly string[];
  /** Paths that each file imports, by its own path from the root. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

/** Reads the imports of all sources, including those of types. */
export async function readImportGraph(): Promise<ImportGraph> {
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
  const imports = output.modules.map(
    ({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)] as const,
  );
  return { circles: [...new Set(circles)], imports: new Map(imports) };
}
