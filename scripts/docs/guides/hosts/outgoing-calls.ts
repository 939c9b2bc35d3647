import { rootCertificates } from "node:tls";
import { createMemoryStore } from "@reeve/core";
import { BASE_URL, MASTER_KEY } from "@reeve/testkit";

export const config = { store: createMemoryStore(), masterKey: MASTER_KEY, baseUrl: BASE_URL };
export const corporateRoot = rootCertificates[0] ?? "";
export const lookup = async (_name: string): Promise<readonly string[]> => ["192.0.2.7"];
