import { nodeRequest, type ParsedRequest } from "@reeve/adapter-http";
import type { NeutralRequest } from "@reeve/core";

/** A request of Node with what Express and its body parsers add. */
export interface HostRequest extends ParsedRequest {
  readonly baseUrl?: string;
  /** The peer's address according to the host's `trust proxy` setting. */
  readonly ip?: string | undefined;
}

/** Converts a request of Express for the control plane, without interpreting it. */
export function neutralRequest(request: HostRequest, exclusive: boolean): NeutralRequest {
  const { ip, baseUrl } = request;
  return nodeRequest(request, { remoteAddress: ip, mountPath: baseUrl, exclusive });
}
