import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { root } from "../../../lib/workspace.mjs";

const from = createRequire(join(root, "packages/connectors/package.json"));
const everything = dirname(from.resolve("@modelcontextprotocol/server-everything/package.json"));

/** The published server, as npx would start it. */
export const placeholders = [
  ['command: "npx"', `command: ${JSON.stringify(process.execPath)}`],
  ['"-y", "@modelcontextprotocol/server-everything"', JSON.stringify(join(everything, "dist", "index.js"))],
] as const;
