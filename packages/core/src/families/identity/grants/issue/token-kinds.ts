import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { PresentedClient } from "../../clients/look-up-client.js";
import type { TokenAnswer, TokenRequest } from "../schema.js";

/** Another kind of token that a machine client can exchange the token of a person for. */
export interface TokenKind {
  /** The `requested_token_type`. */
  readonly type: string;
  /** Exchanges the subject token, whose type is one of RFC 8693, for an authenticated client that may act. */
  exchange(
    ctx: OutsideContext,
    client: PresentedClient,
    request: TokenRequest & { readonly subject_token: string },
  ): Promise<TokenAnswer>;
}

/** Extension point: tokens that come of a token exchange, beside access tokens. */
export const tokenKinds = defineExtensionPoint<TokenKind>("identity.tokenKinds");
