import { SamlError } from "@reeve/core";

/** The largest document, in bytes, decoded and inflated. */
export const DOCUMENT_BYTES = 64 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const DECLARATION =
  /^<\?xml version=(["'])1\.0\1(?: encoding=(["'])(?:utf-8|UTF-8)\2)?(?: standalone=(["'])(?:yes|no)\3)? ?\?>/;
/** What XML 1.0 calls a character, and nothing else. */
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)/;
const CHARACTER = /&#(x?)([0-9A-Fa-f]+);/g;
/** A tag whose attributes are quoted and hold no markup. Names are those of ASCII. */
const TAG = /<(?:\/[\w:.-]+\s*|[\w:.-]+(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?)>/y;
const COMMENT = /<!--(?:(?!--)[\s\S])*-->/g;

/** The text of a document. Refuses bytes that are no UTF-8, a byte order mark, and what is too large. */
export function decoded(bytes: Uint8Array): string {
  if (bytes.length > DOCUMENT_BYTES) throw new SamlError("document_too_large");
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new SamlError("document_malformed", "It is not UTF-8.", { cause });
  }
  return guarded(text);
}

/**
 * Refuses before parsing whatever makes parsers differ or work for long: document types, entities, processing
 * instructions, comments and CDATA. What is left is elements, attributes and text.
 */
export function guarded(text: string): string {
  if (Buffer.byteLength(text) > DOCUMENT_BYTES) throw new SamlError("document_too_large");
  const content = text.replace(DECLARATION, "");
  if (content.includes("<!") || content.includes("<?")) throw new SamlError("document_forbidden");
  if (ENTITY.test(content)) throw new SamlError("document_forbidden", "It refers to an entity of its own.");
  if (NO_CHARACTER.test(content)) throw new SamlError("document_malformed", "It has a character that XML has not.");
  for (const [, hex, digits] of content.matchAll(CHARACTER)) {
    const code = Number.parseInt(digits as string, hex ? 16 : 10);
    if (code > 0x10ffff || NO_CHARACTER.test(String.fromCodePoint(code)))
      throw new SamlError("document_malformed", "It refers to a character that XML has not.");
  }
  checkTags(content.trimEnd());
  return content;
}

/** Refuses what parsers forgive: markup that is no tag, and text before the first one. */
function checkTags(content: string): void {
  if (content[content.search(/\S/)] !== "<" || content.startsWith("\ufeff")) throw new SamlError("document_malformed");
  for (let at = content.indexOf("<"); at >= 0; at = content.indexOf("<", TAG.lastIndex)) {
    TAG.lastIndex = at;
    if (!TAG.test(content)) throw new SamlError("document_malformed", "It has markup that is no tag.");
  }
}

/** Like `guarded`, without the comments that stand between elements. Those within text are refused. */
export function withoutComments(text: string): string {
  if (Buffer.byteLength(text) > DOCUMENT_BYTES) throw new SamlError("document_too_large");
  return guarded(
    text.trim().replace(COMMENT, (comment, at: number, whole: string) => {
      const before = whole.slice(0, at).trimEnd().at(-1) ?? ">";
      const after = whole.slice(at + comment.length).trimStart()[0] ?? "<";
      if (before !== ">" || after !== "<") throw new SamlError("document_forbidden", "It has a comment within text.");
      return "";
    }),
  );
}
