import { invalidProperty } from "../../../../kernel/http/errors.js";

/**
 * 400 unless an address is https without user info and fragment. Where Reeve itself is reached by http, as in
 * development, http is allowed too.
 */
export function checkUrl(pointer: string, text: string, baseUrl: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocols = baseUrl.startsWith("http://") ? ["https:", "http:"] : ["https:"];
  const fits =
    url &&
    protocols.includes(url.protocol) &&
    !url.username &&
    !url.password &&
    !text.includes("#") &&
    !/\s/.test(text);
  if (!fits) throw invalidProperty(pointer, "Must be an https address without user info or fragment.");
}
