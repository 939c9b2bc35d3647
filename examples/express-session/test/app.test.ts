import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ControlPlane } from "@reeve/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../src/app.js";

const PEOPLE = [
  { id: "e-1", email: "ada@acme.example", password: "seven green lanterns", role: "operator" },
  { id: "e-2", email: "joan@acme.example", password: "four blue kettles", role: "auditor" },
];
let server: Server;
let controlPlane: ControlPlane;
let base: string;

beforeAll(async () => {
  const masterKey = randomBytes(32).toString("base64");
  const made = await createApp({
    employees: PEOPLE,
    baseUrl: "http://127.0.0.1:3000",
    masterKey,
    sessionSecret: masterKey,
  });
  controlPlane = made.controlPlane;
  server = made.app.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close().closeAllConnections();
  await controlPlane.close();
});

const post = (path: string, body: unknown, cookie = "") =>
  fetch(base + path, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify(body),
  });

async function signIn({ email, password }: (typeof PEOPLE)[number]): Promise<string> {
  const answer = await post("/login", { email, password });
  expect(answer.status).toBe(204);
  const [cookie = ""] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/HttpOnly.*SameSite=Strict/);
  return cookie.split(";")[0] as string;
}

describe("an Express application whose session Reeve goes by", () => {
  const ASSETS = "/governance/api/v1/ai-assets";
  const [ada, joan] = PEOPLE as [(typeof PEOPLE)[number], (typeof PEOPLE)[number]];

  it("lets in whoever has signed in there, in their role", async () => {
    const made = await post(ASSETS, { name: "Support agent", assetType: "agent" }, await signIn(ada));
    expect([made.status, ((await made.json()) as { createdBy: string }).createdBy]).toEqual([201, "e-1"]);
    const cookie = await signIn(joan);
    const listed = await fetch(base + ASSETS, { headers: { cookie } });
    expect(await listed.json()).toMatchObject({ items: [{ name: "Support agent" }] });
    expect((await post(ASSETS, { name: "x", assetType: "agent" }, cookie)).status).toBe(403);
  });

  it("lets in nobody else, and nobody who has signed out", async () => {
    expect((await post("/login", { email: ada.email, password: "wrong" })).status).toBe(401);
    expect((await fetch(base + ASSETS)).status).toBe(401);
    const cookie = await signIn(ada);
    expect((await post("/logout", {}, cookie)).status).toBe(204);
    expect((await fetch(base + ASSETS, { headers: { cookie } })).status).toBe(401);
    expect((await fetch(base + ASSETS, { headers: { cookie: "connect.sid=made-up" } })).status).toBe(401);
  });
});
