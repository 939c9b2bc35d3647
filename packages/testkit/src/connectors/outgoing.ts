import { type ConnectingEgress, type EgressStream, guardedEgress } from "@reeve/core";

/** One call of a connector to the outside. */
export type Outgoing =
  | { readonly kind: "http"; readonly method: string; readonly url: string }
  | { readonly kind: "address"; readonly host: string; readonly port: number };

/** A guarded egress that notes each call, also those that it refuses. */
export interface RecordedEgress extends ConnectingEgress {
  readonly calls: readonly Outgoing[];
}

/** `allow` as `egressAllow` of a control plane: hosts, addresses and networks, such as `127.0.0.1/32`. */
export function recordedEgress(allow: readonly string[] = []): RecordedEgress {
  const egress = guardedEgress({ allow });
  const calls: Outgoing[] = [];
  const note = ({ method = "GET", url }: { readonly method?: string; readonly url: string }) =>
    calls.push({ kind: "http", method, url });
  return {
    calls,
    request(request) {
      note(request);
      return egress.request(request);
    },
    stream(request): Promise<EgressStream> {
      note(request);
      return egress.stream(request);
    },
    address(host, port, signal) {
      calls.push({ kind: "address", host, port });
      return egress.address(host, port, signal);
    },
  };
}
