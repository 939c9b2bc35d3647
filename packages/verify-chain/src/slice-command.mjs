// The command `reeve-verify-chain slice`: verifies a slice, and says in words what it proves.

import { createPublicKey, hash } from "node:crypto";
import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { pageOf } from "./slice-page.mjs";
import { canonical, checkpointsIn } from "./verify-chain.mjs";
import { verifySlice } from "./verify-slice.mjs";

/** @typedef {import("./verify-slice.mjs").Report} Report */

const USAGE = `Usage: reeve-verify-chain slice [options] <slice.jsonl | ->
Verifies some events of Reeve's event chain and that none of their kind is left out; - reads standard input.
  --key <file>         Ed25519 public key that the newest checkpoint must be signed by: PEM, JWK or JWKS; may be given more than once
  --checkpoint <file>  checkpoints kept elsewhere, of which the slice must rest on one; may be given more than once
  --html <file>        writes a page for people: what is proven, and the events; only of a slice that is valid
  --time-stamp <file>  writes the time stamp of the newest checkpoint, for openssl ts -verify; only of a slice that is valid
  --json               print the report as JSON

A key or a checkpoint has to be given.
Exit code: 0 valid, 1 not valid, 2 not verified (wrong usage, or a file that cannot be read).
`;

/** @param {string[]} argv @returns {Promise<number>} the exit code */
export async function main(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      key: { type: "string", multiple: true, default: [] },
      checkpoint: { type: "string", multiple: true, default: [] },
      html: { type: "string" },
      "time-stamp": { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [file] = positionals;
  if (values.help || file === undefined || positionals.length > 1) {
    (values.help ? process.stdout : process.stderr).write(USAGE);
    return values.help ? 0 : 2;
  }
  const checkpoints = values.checkpoint.flatMap((path) => checkpointsIn(readFileSync(path, "utf8")));
  const keys = values.key.length > 0 ? keysIn(values.key.map((path) => readFileSync(path, "utf8"))) : undefined;
  const events = /** @type {{ event: Readonly<Record<string, unknown>>, isOutside: boolean }[]} */ ([]);
  const report = await verifySlice(file === "-" ? process.stdin : createReadStream(file), {
    checkpoints,
    ...(keys ? { keys } : {}),
    ...(values.html === undefined ? {} : { onEvent: (event, isOutside) => events.push({ event, isOutside }) }),
  });
  const { "time-stamp": stampFile } = values;
  if (report.valid && stampFile !== undefined && !report.timeStamp)
    throw new Error("there is no time stamp in it, so none can be written");
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : told(report, stampFile));
  if (report.valid && values.html !== undefined)
    writeFileSync(values.html, pageOf(report, statementOf(report, stampFile), events));
  if (report.valid && stampFile !== undefined)
    writeFileSync(stampFile, Buffer.from(report.timeStamp?.token ?? "", "base64"));
  return report.valid ? 0 : 1;
}

/**
 * Public keys by their thumbprints (RFC 7638), from texts that are a PEM, a JWK or a JWKS each. Throws for other keys.
 * @param {readonly string[]} texts
 */
export function keysIn(texts) {
  const keys = texts.flatMap((text) => {
    if (!text.trimStart().startsWith("{")) return [createPublicKey(text)];
    const given = JSON.parse(text);
    const all = Array.isArray(given.keys) ? given.keys.filter((/** @type {any} */ { kty }) => kty === "OKP") : [given];
    return all.map((/** @type {import("node:crypto").JsonWebKey} */ key) => createPublicKey({ key, format: "jwk" }));
  });
  if (keys.some(({ asymmetricKeyType }) => asymmetricKeyType !== "ed25519"))
    throw new Error("not an Ed25519 public key");
  return new Map(keys.map((key) => [thumbprintOf(key), key]));
}

/** @param {import("node:crypto").KeyObject} key */
function thumbprintOf(key) {
  const { crv, kty, x } = key.export({ format: "jwk" });
  return hash("sha256", canonical({ crv, kty, x }), "base64url");
}

/** @param {Report} report @param {string} [stampFile] */
function told(report, stampFile) {
  const { valid, fault } = report;
  if (!valid) return `NOT VALID: line ${fault?.line}, event ${fault?.sequence}: ${fault?.reason}\n`;
  return ["valid", ...statementOf(report, stampFile), ""].join("\n");
}

const NAMES = /** @type {const} */ ({
  subject: "name the subject",
  actor: "were done by",
  kind: "happened to a record of the kind",
  type: "are of the type",
});

/**
 * What a valid slice proves, and what it does not, in words.
 * @param {Report} report @param {string} [stampFile] where its time stamp is written @returns {string[]}
 */
export function statementOf(report, stampFile) {
  const { chainid, criteria, from, before, after, to, events, outside, withheld, covered, unproven, head, signedBy } =
    report;
  const whose = Object.entries(criteria).map(
    ([name, values]) => `${NAMES[/** @type {keyof typeof NAMES} */ (name)]} ${values.join(" or ")}`,
  );
  const which = whose.length > 0 ? `that ${whose.join(" and ")}` : "of any kind";
  const span = from === null && before === null ? "" : `, from ${from ?? "the beginning"} to ${before ?? "the end"}`;
  return [
    `events: ${events} of tenant ${chainid} ${which}${span}; ${withheld} of them without their data, which was erased or withheld`,
    `proven: each of them is in the chain, and is what was recorded`,
    unproven.length === 0
      ? `complete: no events ${which}, with a sequence above ${after} and up to ${to}, are missing`
      : `NOT proven to be complete: between ${unproven.map((part) => part.join(" and ")).join(", ")} events may be missing`,
    ...(span === ""
      ? []
      : [
          covered
            ? "time: all of that time is between these sequences"
            : "time: NOT all of that time is between these sequences",
        ]),
    ...(outside > 0 ? [`besides: ${outside} more of these events are outside of that time`] : []),
    `behind event ${head?.toSeq} of ${head?.at} nothing is known`,
    `rests on: the checkpoint of ${head?.at}, ${signedBy === null ? "which is one of those kept" : `signed by the key ${signedBy}`}`,
    ...(report.timeStamp ? stampOf(report.timeStamp, stampFile) : []),
    "not proven: that everything that happened was recorded, and that the clock of the recorder was right",
  ];
}

/** @param {import("./time-stamp/token.mjs").TimeStamp} timeStamp @param {string} [file] */
function stampOf({ time, policy, signature, digest }, file = "<file of --time-stamp>") {
  const command = `openssl ts -verify -digest ${digest} -token_in -in ${file} -CAfile <certificates of the authority>`;
  const isSigned =
    signature === "fits" ? "its signature fits a certificate in it" : "its signature is not checked here";
  return [
    `time stamp: of that checkpoint, for ${time}, by the policy ${policy}; ${isSigned}`,
    `NOT checked here: whether that is an authority to trust. Ask: ${command}`,
  ];
}
