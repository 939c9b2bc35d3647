import { readFileSync, statSync } from "node:fs";
import { type TrustedIssuer, trustedIssuerFaults } from "@reeve/core";

const TEXT = "REEVE_TRUSTED_ISSUERS";
const FILE = "REEVE_TRUSTED_ISSUERS_FILE";
/** Bits of a mode by which others than the owner may write. Who writes the file decides who signs in. */
const OTHERS_WRITE = 0o022;

/** The trusted issuers of the environment, or of the file that it names. A fault names the setting and the member. */
export function readTrustedIssuers(
  env: Readonly<Record<string, string | undefined>>,
  baseUrl: string,
  faults: string[],
): readonly TrustedIssuer[] {
  const { [TEXT]: text, [FILE]: file } = env;
  if (text && file) faults.push(`${TEXT} and ${FILE} must not both be set`);
  if (text) return issuersOf(TEXT, text, baseUrl, faults);
  const stored = file ? textOf(file, faults) : undefined;
  return stored === undefined ? [] : issuersOf(FILE, stored, baseUrl, faults);
}

function textOf(file: string, faults: string[]): string | undefined {
  try {
    const { mode } = statSync(file);
    if (process.platform === "win32" || (mode & OTHERS_WRITE) === 0) return readFileSync(file, "utf8");
    faults.push(`${FILE} must be written by its owner alone: chmod go-w ${file}`);
  } catch (error) {
    faults.push(`${FILE} cannot be read: ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
  return undefined;
}

function issuersOf(setting: string, text: string, baseUrl: string, faults: string[]): readonly TrustedIssuer[] {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    // The parser's own message would repeat what stands there.
    faults.push(`${setting} must be a list of issuers in JSON`);
    return [];
  }
  const found = trustedIssuerFaults(given, { baseUrl }).map((fault) => `${setting} ${fault}`.replace(/ (?=\[\d)/, ""));
  faults.push(...found);
  return found.length === 0 ? (given as TrustedIssuer[]) : [];
}
