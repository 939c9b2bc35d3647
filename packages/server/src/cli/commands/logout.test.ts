import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { processOutput } from "../output.js";
import { logout } from "./logout.js";

it("keeps the profile when the server fails to end its token", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(400, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ type: "about:blank", title: "No", status: 400, code: "bad_request" }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const folder = mkdtempSync(join(tmpdir(), "reeve-logout-"));
  const file = join(folder, "reeve/profiles.json");
  mkdirSync(join(folder, "reeve"));
  const ends = { expiresAt: null, refreshToken: null, refreshExpiresAt: null };
  const profile = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, username: "ada", ...ends };
  writeFileSync(file, JSON.stringify({ current: "default", profiles: { default: { ...profile, token: "t" } } }));
  chmodSync(file, 0o600);
  const env = { XDG_CONFIG_HOME: folder };
  try {
    await expect(logout({ env, output: processOutput(true, env) } as never, {})).rejects.toThrow("bad_request");
    expect(readFileSync(file, "utf8")).toContain('"t"');
  } finally {
    server.close();
  }
});
