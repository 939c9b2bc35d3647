import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An answer to a query for a time stamp. */
export interface StampAnswer {
  readonly status?: number;
  readonly body: Uint8Array | string;
}

const CONFIGURATION = `
[tsa]
default_tsa = authority
[authority]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
certs = ca.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
ordering = no
tsa_name = yes
ess_cert_id_chain = no
[refusing]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha512
ess_cert_id_alg = sha256
[stamping]
extendedKeyUsage = critical,timeStamping
`;
/** Of a certificate: bytes that are also ASN.1 with a length that DER does not have, as any hash may be. */
const KEY_ID = "308004".concat("0e", "5a".repeat(14), "0000");

/** Keys that an authority signs by, as `openssl req -newkey` takes them. */
export type StampKey = "rsa:2048" | "ec";

/** A time stamping authority of OpenSSL on loopback, with certificates of its own. */
export class TimeStampingAuthority {
  /** The policy of its time stamps. */
  static readonly policy = "1.2.3.4.1";
  /** The file of the certificate that vouches for it. */
  readonly root: string;
  /** Every query, as it came. */
  readonly queries: { readonly contentType: string | undefined; readonly body: Buffer }[] = [];
  /** What it answers: as OpenSSL does, unless a test says otherwise. */
  answer: (query: Buffer) => StampAnswer = (query) => ({ body: this.reply(query) });
  port = 0;
  #server: Server | undefined;

  private constructor(private readonly folder: string) {
    this.root = join(folder, "ca.pem");
  }

  /** Makes its certificates and starts it. Stop it at the end, which removes them. */
  static async start(key: StampKey = "ec"): Promise<TimeStampingAuthority> {
    const authority = new TimeStampingAuthority(mkdtempSync(join(tmpdir(), "reeve-tsa-")));
    authority.#certify(key);
    await authority.listen();
    return authority;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/tsa`;
  }

  #certify(key: StampKey): void {
    writeFileSync(join(this.folder, "tsa.cnf"), `${CONFIGURATION}subjectKeyIdentifier = ${KEY_ID}\n`);
    writeFileSync(join(this.folder, "serial"), "01\n");
    const kind = ["-newkey", key, ...(key === "ec" ? ["-pkeyopt", "ec_paramgen_curve:P-256"] : [])];
    const made = ["-nodes", "-days", "30"];
    this.openssl("req", "-x509", ...kind, ...made, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Authority");
    this.openssl("req", "-new", ...kind, "-nodes", "-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=Stamps");
    this.openssl(
      ...["x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30"],
      ...["-extfile", "tsa.cnf", "-extensions", "stamping", "-out", "tsa.pem"],
    );
  }

  /** The answer of OpenSSL to a query. */
  reply(query: Uint8Array, section = "authority"): Buffer {
    writeFileSync(join(this.folder, "query.tsq"), query);
    this.openssl("ts", "-reply", "-config", "tsa.cnf", "-section", section, "-queryfile", "query.tsq", "-out", "reply");
    return readFileSync(join(this.folder, "reply"));
  }

  /** A refusal, as OpenSSL words it for a hash that it does not take. */
  refusal(query: Uint8Array): Buffer {
    return this.reply(query, "refusing");
  }

  /** A query for a time stamp of a SHA-256 in hex, by OpenSSL. */
  query(digest: string, ...more: readonly string[]): Buffer {
    this.openssl("ts", "-query", "-digest", digest, "-sha256", "-out", "own.tsq", ...more);
    return readFileSync(join(this.folder, "own.tsq"));
  }

  /** Whether OpenSSL verifies a token over these bytes by the certificate of this authority. */
  verifies(token: Uint8Array, data: string | Uint8Array): boolean {
    writeFileSync(join(this.folder, "token"), token);
    writeFileSync(join(this.folder, "data"), data);
    const args = ["ts", "-verify", "-data", "data", "-in", "token", "-token_in", "-CAfile", "ca.pem"];
    const { status, stdout } = spawnSync("openssl", args, { cwd: this.folder, encoding: "utf8" });
    return status === 0 && stdout.includes("Verification: OK");
  }

  /** Runs OpenSSL in the folder of the authority. Throws where it fails. */
  openssl(...args: readonly string[]): void {
    const { status, stderr } = spawnSync("openssl", args, { cwd: this.folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr}`);
  }

  /** Listens, on the same port after a pause. */
  async listen(): Promise<void> {
    const server = createServer(async (request, response) => {
      const body = await bytesOf(request);
      this.queries.push({ contentType: request.headers["content-type"], body });
      const answer = this.answer(body);
      response.writeHead(answer.status ?? 200, { "content-type": "application/timestamp-reply" }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Listens no longer, and keeps its certificates. */
  async pause(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    await this.pause();
    rmSync(this.folder, { recursive: true });
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
