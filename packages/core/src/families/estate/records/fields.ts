import { holdsSecret } from "#kernel/http/secrets-in-text.js";
import { z } from "#schema/z.js";
import { Label } from "../assets/fields.js";

/** The most ids in one reference field. */
const REFERENCES = 100;

const distinct = (items: readonly string[]) => new Set(items).size === items.length;

/** A list of distinct labels. */
export const Labels = (most: number) => z.array(Label).max(most).refine(distinct, "An entry appears twice.");

/** Ids of assets of one type, or of their records. */
export const AssetIds = (meaning: string) => Labels(REFERENCES).meta({ description: `${meaning} ${EITHER_ID}` });

/** The id of one asset, or of its record. */
export const AssetId = (meaning: string) => Label.nullable().meta({ description: `${meaning} ${EITHER_ID}` });

const EITHER_ID = "By id of the asset or of its record.";

/** An address without user and password. */
export const HttpUrl = z
  .string()
  .max(2_000)
  .refine(isHttpUrl, "An http or https URL without user, password, secret parameters and fragment.");

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text) || text.includes("#")) return false;
  const { protocol, username, password } = new URL(text);
  const isPlain = username === "" && password === "" && !holdsSecret(text);
  return (protocol === "https:" || protocol === "http:") && isPlain;
}

/** A JSON object of at most this many bytes as JSON text. */
export const JsonObject = (bytes: number) =>
  z
    .record(z.string(), z.unknown())
    .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= bytes, `At most ${bytes} bytes as JSON.`);
