import { readFileSync } from "node:fs";
import { join } from "node:path";
import { namedSnippet } from "../docs/snippets.js";
import { root } from "../lib/workspace.mjs";

const guide = readFileSync(join(root, "docs/guides/frameworks.md"), "utf8");

/** The code of docs/guides/frameworks.md by its name, on the port of the environment. */
export const snippet = (name: string): string =>
  namedSnippet(guide, name)
    .replaceAll(
      /"http:\/\/localhost:3000([^"]*)"/g,
      (_, path: string) => `\`http://127.0.0.1:\${process.env.PORT}${path}\``,
    )
    .replaceAll(/\b3000\b/g, "Number(process.env.PORT)");
