import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Builds the pages into a folder: `index.html`, and `assets/` with names that say what they hold. */
export async function buildApp(folder: string): Promise<Metafile> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: here,
    entryPoints: { main: "app/main.tsx", style: "app/styles/main.css" },
    outdir: join(folder, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: ["es2022", "chrome111", "firefox114", "safari16.4"],
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    legalComments: "linked",
    tsconfig: "app/tsconfig.json",
    logLevel: "error",
  });
  for (const file of Object.keys(metafile.outputs).filter((name) => name.endsWith(".LEGAL.txt")))
    if (metafile.outputs[file]?.bytes === 0) rmSync(join(here, file));
  writeFileSync(join(folder, "index.html"), pageOf(metafile));
  return metafile;
}

/** What the first view loads: the entry, what it imports at once, and the style. */
export function firstFiles({ outputs }: Metafile): string[] {
  const entryOf = (source: string) => Object.keys(outputs).find((file) => outputs[file]?.entryPoint === source) ?? "";
  const found = new Set([entryOf("app/main.tsx")]);
  for (const file of found)
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === "import-statement") found.add(path);
  return [entryOf("app/styles/main.css"), ...found];
}

function pageOf(metafile: Metafile): string {
  const [style = "", entry = "", ...chunks] = firstFiles(metafile).map((file) => `assets/${basename(file)}`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <base href="{base}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Console</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${style}">
    ${chunks.map((chunk) => `<link rel="modulepreload" href="${chunk}">`).join("\n    ")}
    <script type="module" src="${entry}"></script>
  </head>
  <body>
    <noscript>This page needs JavaScript.</noscript>
    <div id="app"></div>
  </body>
</html>
`;
}
