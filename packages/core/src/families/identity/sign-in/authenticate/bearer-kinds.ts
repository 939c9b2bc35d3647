import type { Environment } from "#kernel/config/environment.js";
import { defineExtensionPoint, type ExtensionPoint } from "#kernel/config/extension.js";
import type { Principal } from "#kernel/config/principal.js";

/** A kind of bearer of the API that another area issues. */
export interface BearerKind {
  /** Whether a text has the form of one. No token of another kind has it. */
  isOne(token: string): boolean;
  /** Whom it belongs to. 401 for one that is good for nothing. */
  principalOf(env: Environment, token: string): Promise<Principal>;
}

/** Extension point: bearers beside the tokens of this service and of trusted issuers. */
export const bearerKinds: ExtensionPoint<BearerKind> = defineExtensionPoint<BearerKind>("identity.bearerKinds");
