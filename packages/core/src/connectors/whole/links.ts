/** A link of the header `Link` (RFC 8288). */
export interface Link {
  readonly target: string;
  /** Relation types, in lower case. */
  readonly rel: readonly string[];
  readonly anchor?: string;
}

interface Links {
  readonly links: readonly Link[];
  /** The whole header was understood. */
  readonly whole: boolean;
}

const BLANK = /[ \t]/;

/** Reads the header `Link` in each legal spelling. Several headers are joined by commas, as `Headers` does. */
export function readLinks(header: string): Links {
  const links: Link[] = [];
  let at = 0;
  const skip = (more: RegExp) => {
    while (at < header.length && more.test(header.charAt(at))) at += 1;
  };
  for (skip(/[ \t,]/); at < header.length; skip(/[ \t,]/)) {
    const end = header.indexOf(">", at);
    if (header[at] !== "<" || end === -1) return { links, whole: false };
    const target = header.slice(at + 1, end).trim();
    at = end + 1;
    const parameters = new Map<string, string>();
    for (skip(BLANK); header[at] === ";"; skip(BLANK)) {
      at += 1;
      skip(BLANK);
      const name = text(/[=;, \t]/);
      skip(BLANK);
      const value = header[at] === "=" ? given() : "";
      // Of a parameter that is given twice, the first counts.
      if (name !== "" && !parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
    }
    if (at < header.length && header[at] !== ",") return { links, whole: false };
    const [rel = "", anchor] = [parameters.get("rel"), parameters.get("anchor")];
    links.push({
      target,
      rel: rel.toLowerCase().split(/\s+/).filter(Boolean),
      ...(anchor === undefined ? {} : { anchor }),
    });
  }
  return { links, whole: true };

  function text(end: RegExp): string {
    const from = at;
    while (at < header.length && !end.test(header.charAt(at))) at += 1;
    return header.slice(from, at);
  }

  function given(): string {
    at += 1;
    skip(BLANK);
    if (header[at] !== '"') return text(/[;, \t]/);
    let value = "";
    for (at += 1; at < header.length && header[at] !== '"'; at += 1) {
      if (header[at] === "\\") at += 1;
      value += header[at] ?? "";
    }
    at += 1;
    return value;
  }
}

/** Where a header `Link` leads next. `odd` where it may lead somewhere, and does not say it in a way to follow. */
export function nextLink(header: string | null | undefined): { readonly target?: string; readonly odd: boolean } {
  if (!header) return { odd: false };
  const { links, whole } = readLinks(header);
  const next = links.filter(({ rel }) => rel.includes("next"));
  // A link with an anchor goes on from elsewhere.
  const own = next.find(({ anchor }) => anchor === undefined);
  if (own) return { target: own.target, odd: false };
  return { odd: next.length > 0 || !whole };
}
