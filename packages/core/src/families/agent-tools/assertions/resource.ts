import { tokenKinds } from "#families/identity/index.js";
import { defineResource } from "#families/resource.js";
import { extend } from "#kernel/config/extension.js";
import { ASSERTION, exchangeToken } from "./exchange-token.js";

/** Identity assertions, with which agents use MCP servers for people. */
export const assertionsResource = defineResource({
  extends: [extend(tokenKinds, { type: ASSERTION, exchange: exchangeToken })],
});
