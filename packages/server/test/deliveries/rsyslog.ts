import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "@reeve/testkit/programs";

const daemon = program("rsyslogd", "rsyslog");
const tls = program("lmnsd_gtls.so", "rsyslog-gnutls", "/usr/lib/x86_64-linux-gnu/rsyslog");

/** Debian's rsyslogd with TLS. Tests are skipped by name where it is not installed. */
export const RSYSLOG = { path: tls.path && daemon.path, note: daemon.note || tls.note };

/** A certificate for the name `localhost` of an authority of its own. */
export function certificate(at: string): { key: string; cert: string } {
  const [key, cert] = [join(at, "key.pem"), join(at, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  execFileSync("openssl", [...args, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
  return { key, cert };
}

/**
 * Writes a configuration by which rsyslogd writes the body of each message to a file, and returns its arguments. It has
 * no queue in memory: a message that it has read is in the file.
 */
export function rsyslogArgs(at: string, port: number, out: string): string[] {
  const { key, cert } = certificate(at);
  const lines = [
    `global(workDirectory="${at}" defaultNetstreamDriver="gtls" defaultNetstreamDriverCAFile="${cert}"`,
    `  defaultNetstreamDriverCertFile="${cert}" defaultNetstreamDriverKeyFile="${key}" maxMessageSize="64k")`,
    'main_queue(queue.type="Direct")',
    'module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")',
    `input(type="imtcp" port="${port}" address="127.0.0.1")`,
    'template(name="body" type="string" string="%msg%\\n")',
    `action(type="omfile" file="${out}" template="body" asyncWriting="off")`,
  ];
  writeFileSync(join(at, "rsyslog.conf"), `${lines.join("\n")}\n`);
  return ["-n", "-f", join(at, "rsyslog.conf"), "-i", join(at, "pid")];
}
