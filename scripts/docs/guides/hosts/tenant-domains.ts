import { createMemoryStore } from "@reeve/core";
import { MASTER_KEY } from "@reeve/testkit";
import { newAcme } from "../acme.js";

const baseUrl = "https://reeve.example.com";
export const env = (await newAcme({ baseUrl })).env;
export const config = { store: createMemoryStore(), masterKey: MASTER_KEY, baseUrl };
