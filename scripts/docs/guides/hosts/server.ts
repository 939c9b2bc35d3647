import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { vi } from "vitest";
import { afterPage } from "../acme.js";

const folder = mkdtempSync(join(tmpdir(), "reeve-server-"));
afterPage(() => rmSync(folder, { recursive: true }));
vi.stubEnv("PORT", String(await freePort()));
vi.stubEnv("REEVE_STORE", `sqlite:${join(folder, "reeve.sqlite")}`);
