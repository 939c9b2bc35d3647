/** The part of the document model that is used here. */
export interface Node {
  readonly nodeType: number;
  readonly nodeValue: string | null;
  readonly childNodes: ArrayLike<Node>;
}

interface Named {
  readonly prefix: string | null;
  readonly namespaceURI: string | null;
  readonly localName: string;
}

export interface Attr extends Named {
  readonly value: string;
}

export interface Element extends Node, Named {
  readonly attributes: ArrayLike<Attr>;
  hasAttribute(name: string): boolean;
  getAttribute(name: string): string | null;
}

type Report = (message: string) => void;

export class DOMParser {
  constructor(options: { readonly errorHandler: Readonly<Record<"warning" | "error" | "fatalError", Report>> });
  parseFromString(text: string, type: "application/xml"): Node;
}
