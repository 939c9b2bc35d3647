/** An http or https URL without user, query, fragment and last slash; `undefined` for anything else. */
export function baseUrlOf(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username || url.password || url.search || url.hash ? undefined : url.href.replace(/\/+$/, "");
}
