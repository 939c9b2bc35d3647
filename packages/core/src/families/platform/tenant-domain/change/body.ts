import { invalidProperty, type ReeveError } from "#kernel/http/errors.js";
import { type GenericBody, splitBody } from "#kernel/records/generic-body.js";
import type { Alias } from "../../tenants/schema.js";
import { readDomain } from "../rules.js";
import { DOMAIN_READ_ONLY, type TenantDomain } from "../schema.js";

/** What a request body asks for an alias. */
export interface AliasRequest {
  readonly domain: string | undefined;
  readonly status: string | undefined;
  readonly metadata: Record<string, unknown> | undefined;
  readonly free: Partial<Pick<Alias, "attributes">>;
}

/** Reads a generic body as the body of an alias. Values equal to `shown`, the tenant's current domain, are accepted. */
export async function readAliasBody(body: GenericBody, shown: TenantDomain, baseHost: string): Promise<AliasRequest> {
  const { fields, configuration = {}, attributes } = splitBody(body, ["domain"], DOMAIN_READ_ONLY, shown);
  const [unknown] = Object.keys(configuration);
  if (unknown !== undefined) throw invalidProperty(`/configuration/${unknown}`, "Only `domain` is known here.");
  return {
    domain: await wishedDomain(fields.domain, body, baseHost),
    status: body.status,
    metadata: body.metadata,
    free: attributes === undefined ? {} : { attributes },
  };
}

async function wishedDomain(
  named: unknown,
  { name, configuration }: GenericBody,
  baseHost: string,
): Promise<string | undefined> {
  const pointer = configuration?.domain === undefined ? "/domain" : "/configuration/domain";
  const places = [
    ["/name", name],
    [pointer, named],
  ] as const;
  const wished: string[] = [];
  for (const [at, text] of places) if (text !== undefined) wished.push(await checked(text, at, baseHost));
  if (new Set(wished).size > 1) throw invalidProperty("/name", "Another domain than the other one in the body.");
  return wished[0];
}

async function checked(text: unknown, pointer: string, baseHost: string): Promise<string> {
  if (typeof text !== "string") throw invalidProperty(pointer, "Must be a text.");
  const read = await readDomain(text, baseHost);
  if ("fault" in read) throw invalidProperty(pointer, read.fault);
  return read.domain;
}

/** 400 for a PUT without a domain when the tenant has none. */
export const domainMissing = (): ReeveError =>
  invalidProperty("/name", "Name the domain, here or in `configuration.domain`.");
