import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterPage, newAcme } from "../acme.js";
import { blocksOf } from "../blocks.js";

const acme = await newAcme();
const folder = mkdtempSync(join(tmpdir(), "reeve-command-line-"));
afterPage(() => rmSync(folder, { recursive: true }));

export const env = { BASE: acme.base, XDG_CONFIG_HOME: folder };
/** The file of policies that the page shows. */
export const files = {
  "policies/agent-sponsor.yaml":
    blocksOf("docs/guides/command-line.md").find(({ name }) => name === "policy-file")?.text ?? "",
};
