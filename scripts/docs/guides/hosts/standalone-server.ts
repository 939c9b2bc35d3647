import { createDatabase, freePort } from "@reeve/testkit/postgres";
import { inject } from "vitest";
import { afterPage, newAcme } from "../acme.js";

const acme = await newAcme();
const database = await createDatabase(inject("postgresUrl"));
afterPage(() => database.drop());
const [proxy, one, two] = [await freePort(), await freePort(), await freePort()];

export const env = acme.env;
export const placeholders = [
  ["postgres://reeve:secret@127.0.0.1:5432/reeve", database.url],
  ["http://127.0.0.1:4000", `http://127.0.0.1:${proxy}`],
  ["listen(4000", `listen(${proxy}`],
  ["4001", String(one)],
  ["4002", String(two)],
] as const;
