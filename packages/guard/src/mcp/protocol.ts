/** What an elicitation asks the user of the client: to open an address, or whether to go on. */
export type Elicitation =
  /** The library's types ask for `elicitationId` in both eras. That of 2026-07-28 has none. */
  | { readonly mode: "url"; readonly message: string; readonly url: string; readonly elicitationId: string }
  | {
      readonly mode: "form";
      readonly message: string;
      readonly requestedSchema: { readonly type: "object"; readonly properties: Record<string, never> };
    };

/** A result that has the client send the call again, with what it was asked for and with `requestState`. */
export interface InputRequired {
  readonly resultType: "input_required";
  readonly inputRequests?: Record<string, { method: "elicitation/create"; params: Elicitation }>;
  readonly requestState: string;
  readonly [member: string]: unknown;
}

/** The members of a request's context that are used, as `@modelcontextprotocol/server` 2.x gives it to handlers. */
export interface RequestContext {
  readonly mcpReq: {
    readonly id: string | number;
    readonly signal: AbortSignal;
    /** Is there in the era of 2026-07-28 alone. */
    readonly envelope?: Readonly<Record<string, unknown>>;
    readonly inputResponses?: Readonly<Record<string, unknown>>;
    requestState(): unknown;
    elicitInput(params: Elicitation, options: object): Promise<{ readonly action: string }>;
  };
  readonly http?: { readonly authInfo?: { readonly clientId?: string } };
}

/** Signs what the client sends back and checks it: what `createRequestStateCodec` of the server's library makes. */
export interface RequestStateCodec {
  // biome-ignore lint/suspicious/noExplicitAny: the library knows its whole context, and this package a part of it
  mint(payload: unknown, context?: any): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  verify(state: string, context: any): Promise<unknown>;
}
