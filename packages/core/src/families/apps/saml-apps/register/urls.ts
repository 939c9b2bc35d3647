import { invalidProperty } from "#kernel/http/errors.js";

const WHY = "Must be an https address without user info or fragment.";
/** The most characters of an address. */
export const URL_LENGTH = 2_048;

/** Why no message and no person may be sent to an address of metadata; `undefined` where they may. */
export function urlFault(text: string, baseUrl: string): string | undefined {
  return text.length <= URL_LENGTH && isUrlTaken(text, baseUrl) ? undefined : WHY;
}

/**
 * 400 unless an address is https without user info and fragment. Where Reeve itself is reached by http, as in
 * development, http is allowed too.
 */
export function checkUrl(pointer: string, text: string, baseUrl: string): void {
  if (!isUrlTaken(text, baseUrl)) throw invalidProperty(pointer, WHY);
}

function isUrlTaken(text: string, baseUrl: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocols = baseUrl.startsWith("http://") ? ["https:", "http:"] : ["https:"];
  return (
    url !== undefined &&
    protocols.includes(url.protocol) &&
    !url.username &&
    !url.password &&
    !text.includes("#") &&
    !/\s/.test(text)
  );
}
