// Writes the test vectors of packages/verify-chain: one file for each, which other implementers read.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeVectors } from "../packages/verify-chain/test/vectors/make-vectors.js";
import { root, say } from "./lib/workspace.mjs";

const folder = join(root, "packages/verify-chain/vectors");
const vectors = Object.entries(await makeVectors());
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [name, vector] of vectors)
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(vector, null, 2)}\n`);
say(`packages/verify-chain/vectors: ${vectors.length} files`);
