import { SamlError } from "@reeve/core";
import { DOMParser, type Element, type Node } from "./dom.js";

const DEPTH = 32;
const NODES = 1_000;
const ATTRIBUTES = 50;
const ELEMENT = 1;
const TEXT = 3;

const refuse = (message: string): never => {
  throw new SamlError("document_malformed", message.split("\n")[0]);
};

/**
 * The root element of a guarded document. Refuses whatever the parser only warns of, several roots, ids used twice, and
 * what is too deep or has too many nodes.
 */
export function parsed(text: string): Element {
  let document: Node;
  try {
    const errorHandler = { warning: refuse, error: refuse, fatalError: refuse };
    document = new DOMParser({ errorHandler }).parseFromString(text.trim(), "application/xml");
  } catch (cause) {
    throw SamlError.is(cause) ? cause : new SamlError("document_malformed", undefined, { cause });
  }
  const roots = Array.from(document.childNodes);
  const [root] = roots;
  if (roots.length !== 1 || root?.nodeType !== ELEMENT)
    throw new SamlError("document_malformed", "It has no one root.");
  checkTree(root as Element);
  return root as Element;
}

function checkTree(root: Element): void {
  const ids = new Set<string>();
  let nodes = 0;
  let level: Element[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > DEPTH) throw new SamlError("document_too_large", `It is deeper than ${DEPTH} elements.`);
    const below: Element[] = [];
    for (const element of level) {
      if (element.attributes.length > ATTRIBUTES)
        throw new SamlError("document_too_large", "It has too many attributes.");
      checkNames(element, ids);
      for (const node of Array.from(element.childNodes)) {
        nodes += 1;
        if (node.nodeType === ELEMENT) below.push(node as Element);
        else if (node.nodeType !== TEXT) throw new SamlError("document_forbidden");
      }
      if (nodes > NODES) throw new SamlError("document_too_large", `It has more than ${NODES} nodes.`);
    }
    level = below;
  }
}

/** Prefixes must be declared. An id is what signatures refer to, so none may stand twice, whatever attribute holds it. */
function checkNames(element: Element, ids: Set<string>): void {
  for (const attribute of [element, ...Array.from(element.attributes)]) {
    if (attribute.prefix && !attribute.namespaceURI)
      throw new SamlError("document_malformed", "It has an unknown prefix.");
  }
  for (const attribute of Array.from(element.attributes)) {
    if (attribute.localName.toLowerCase() !== "id") continue;
    if (ids.has(attribute.value)) throw new SamlError("document_unexpected", "An id is used twice.");
    ids.add(attribute.value);
  }
}
