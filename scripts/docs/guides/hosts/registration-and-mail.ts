import { createMemoryStore } from "@reeve/core";
import { BASE_URL, linkTokenIn, MASTER_KEY } from "@reeve/testkit";
import { vi } from "vitest";
import { newAcme } from "../acme.js";

const acme = await newAcme();
export const env = acme.env;
export const store = createMemoryStore();
export const masterKey = MASTER_KEY;
export const baseUrl = BASE_URL;

vi.stubEnv("SMTP_URL", "smtp://127.0.0.1:25");
await acme.owner.client.POST("/api/v1/users", { body: { username: "mary@acme.example", roles: ["auditor"] } });
const token = linkTokenIn(await acme.mailbox.next("mary@acme.example"));
export const placeholders = [
  ['"token": "…"', `"token": "${token}"`],
  ['"newPassword": "…"', '"newPassword": "four blue kettles at dawn"'],
] as const;
