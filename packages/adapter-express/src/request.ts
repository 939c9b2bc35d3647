import { nodeRequest, type ParsedRequest } from "@reeve/adapter-http";
import type { NeutralRequest } from "@reeve/core";

/** What Express and its body parsers add to a request of Node's. */
export interface HostRequest extends ParsedRequest {
  readonly baseUrl?: string;
  /** The peer as the host's `trust proxy` setting sees it. */
  readonly ip?: string | undefined;
}

/** Carries a request of Express into the control plane, uninterpreted. */
export function neutralRequest(request: HostRequest, exclusive: boolean): NeutralRequest {
  const { ip, baseUrl } = request;
  return nodeRequest(request, { remoteAddress: ip, mountPath: baseUrl, exclusive });
}
