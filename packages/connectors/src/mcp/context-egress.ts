import type { EgressStream, EgressStreamRequest, StreamingEgress } from "@reeve/core";
import { type ConnectorContext, ConnectorError } from "@reeve/core/connectors";

/** The context's only door as the egress that the client of MCP takes. */
export interface ContextEgress extends StreamingEgress {
  /** The first refusal or failure of the context. The client would turn it into a word of its own. */
  readonly failure: ConnectorError | undefined;
}

export function contextEgress(ctx: Pick<ConnectorContext, "fetch">): ContextEgress {
  let failure: ConnectorError | undefined;
  async function stream(request: EgressStreamRequest): Promise<EgressStream> {
    const { url, method = "GET", headers = {}, body, redirects = 0, signal } = request;
    try {
      const response = await ctx.fetch(url, {
        method,
        headers,
        redirect: redirects > 0 ? "follow" : "manual",
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
        ...(signal ? { signal } : {}),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        url: response.url,
        redirected: response.redirected,
        body: response.body ?? new Blob([]).stream(),
      };
    } catch (error) {
      if (ConnectorError.is(error) && !signal?.aborted) failure ??= error;
      throw error;
    }
  }
  return {
    stream,
    async request(request) {
      const { status, headers, body } = await stream(request);
      return { status, headers, body: new Uint8Array(await new Response(body).arrayBuffer()) };
    },
    get failure() {
      return failure;
    },
  };
}
