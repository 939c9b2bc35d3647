import { createMemoryStore } from "@reeve/core";
import { BASE_URL, MASTER_KEY } from "@reeve/testkit";
import { vi } from "vitest";
import { newAcme } from "../acme.js";
import { pageIssuer } from "../page-issuer.js";

/** What the application keeps of whoever is signed in. */
interface Employee {
  readonly id: string;
  readonly email: string;
  readonly roles: readonly string[];
}

/** A request of the application. */
export interface AppRequest {
  readonly session: { readonly employee?: Employee };
}

export const controlPlane = (await newAcme()).controlPlane;
export const customer = { id: "c-1", name: "Acme Ltd" };
export const config = { store: createMemoryStore(), masterKey: MASTER_KEY, baseUrl: BASE_URL };

const issuer = await pageIssuer("https://governance.acme.example");
vi.stubEnv("ACCESS_TOKEN", issuer.token);
export const placeholders = [
  ["https://login.acme.example", issuer.url],
  ['"login.acme.example"', '"127.0.0.1"'],
] as const;
