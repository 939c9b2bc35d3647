import { ById, listOperation, readOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { moveBody } from "#kernel/records/open-body.js";
import { RegistryKey, registryKeys } from "../schema.js";
import {
  IssuedRegistryKey,
  issueKey,
  RegistryKeyRequest,
  RotatedRegistryKey,
  revokeKey,
  rotateKey,
} from "./issue-key.js";

const PATH = "/api/v1/ai/registry-keys";
const tag = "MCP Registry";
const may = (verb: "read" | "write") => ({ permission: `registry-key:${verb}`, capability: "ai_registry" }) as const;
const shared = { tag, path: PATH, collection: registryKeys, schema: RegistryKey, extension: true } as const;

export const listKeys = listOperation({
  ...shared,
  id: "registryKeys.list",
  summary: "List keys of the tenant's MCP registry, without the keys themselves",
  access: may("read"),
});

export const readKey = readOperation({
  ...shared,
  id: "registryKeys.read",
  summary: "Read one key of the tenant's MCP registry, without the key itself",
  access: may("read"),
});

export const createKey = defineOperation({
  id: "registryKeys.create",
  method: "POST",
  path: PATH,
  tag,
  summary: "Make a key that opens the tenant's MCP registry, and show it this once",
  description: "Whoever has the address with it reads which MCP servers are approved, and nothing else.",
  extension: true,
  access: may("write"),
  secret: true,
  body: RegistryKeyRequest,
  success: { status: 201, schema: IssuedRegistryKey },
  errors: ["limit_exceeded"],
  handler: (ctx, { body }) => issueKey(ctx, body.name),
});

export const rotateOneKey = defineOperation({
  id: "registryKeys.rotate",
  method: "POST",
  path: `${PATH}/{id}/rotate`,
  tag,
  summary: "Issue a new key in place of one, and show it this once",
  description: "The one before works for another day.",
  extension: true,
  access: may("write"),
  secret: true,
  params: ById,
  success: { status: 201, schema: RotatedRegistryKey },
  errors: ["invalid_transition", "limit_exceeded"],
  handler: (ctx, { params }) => rotateKey(ctx, params.id),
});

export const revokeOneKey = defineOperation({
  id: "registryKeys.revoke",
  stops: true,
  method: "POST",
  path: `${PATH}/{id}/revoke`,
  tag,
  summary: "Revoke a key of the tenant's MCP registry for good",
  description: "The next request with it is answered by 404, in every process.",
  extension: true,
  access: may("write"),
  params: ById,
  body: moveBody({ id: "RegistryKeyRevocation", to: "revoked", example: { reason: "It was mailed to too many." } }),
  success: { status: 200, schema: RegistryKey },
  errors: ["invalid_transition"],
  handler: (ctx, { params, body: { reason } }) => revokeKey(ctx, params.id, reason),
});
