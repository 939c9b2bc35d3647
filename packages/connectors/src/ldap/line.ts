import { connect, isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import type { ClientOptions } from "ldapts";
import type { Directory } from "./manifest.js";

const MAX_BYTES = 16_777_216;
const PORTS = { ldaps: 636, starttls: 389, off: 389 } as const;

/** One connection to the permitted address. */
interface Line {
  /** For the client, which would otherwise resolve a name itself. */
  readonly options: ClientOptions;
  /** How the connection becomes encrypted, if it is not from the start. */
  readonly upgrade?: ConnectionOptions;
  close(): void;
}

/**
 * The client opens connections anew when one is lost, without encryption and not signed in. This one cannot be opened
 * twice. It is cut when the call is given up, and when the directory answers without end.
 */
export async function lineTo(ctx: Directory): Promise<Line> {
  const { host, tls, port = PORTS[tls], ca } = ctx.config;
  const { address, port: at, serverName } = await ctx.address(host, port);
  const trust = {
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    host: serverName,
    ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
    ...(ca ? { ca } : {}),
  } as const;
  const sockets: Socket[] = [];
  const kept = <S extends Socket>(socket: S): S => {
    sockets.push(socket);
    let bytes = 0;
    socket.on("error", () => undefined); // the client reports it
    socket.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > MAX_BYTES) socket.destroy();
    });
    return socket;
  };
  const once = () => {
    if (sockets.length > 0 || ctx.signal.aborted) throw new Error("the connection is lost");
    return kept(connect({ host: address, port: at }));
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy(new Error("the call was given up"));
  };
  ctx.signal.addEventListener("abort", cut, { once: true });
  return {
    options: {
      url: tls === "ldaps" ? "ldaps://target.invalid" : "ldap://target.invalid", // never resolved
      createConnection: once as typeof connect,
      createSecureConnection: ((options: ConnectionOptions) =>
        kept(connectTls(tls === "ldaps" ? { ...trust, socket: once() } : options))) as typeof connectTls,
    },
    ...(tls === "starttls" ? { upgrade: { ...trust } } : {}),
    close() {
      ctx.signal.removeEventListener("abort", cut);
      for (const socket of sockets) socket.destroy();
    },
  };
}
