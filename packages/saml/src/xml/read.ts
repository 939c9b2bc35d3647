import { SamlError } from "@reeve/core";
import type { Element } from "./dom.js";

/** The child elements. Text beside elements is refused unless it is white space. */
export function childrenOf(element: Element): Element[] {
  const children: Element[] = [];
  for (const node of Array.from(element.childNodes)) {
    if (node.nodeType === 1) children.push(node as Element);
    else if (node.nodeValue?.trim()) throw new SamlError("document_unexpected", "It has text between elements.");
  }
  return children;
}

export function isNamed(element: Element, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

/** The children of this name, in their order. */
export function allOf(element: Element, namespace: string, name: string): Element[] {
  return childrenOf(element).filter((child) => isNamed(child, namespace, name));
}

/** The only child of this name; `undefined` for none. Refuses several. */
export function oneOf(element: Element, namespace: string, name: string): Element | undefined {
  const found = allOf(element, namespace, name);
  if (found.length > 1) throw new SamlError("document_unexpected", `It has several elements ${name}.`);
  return found[0];
}

/** The text of an element that has no children of its own. */
export function textOf(element: Element): string {
  const nodes = Array.from(element.childNodes);
  if (nodes.some((node) => node.nodeType !== 3)) throw new SamlError("document_unexpected", "A text has elements.");
  return nodes
    .map((node) => node.nodeValue ?? "")
    .join("")
    .trim();
}

/** An attribute without a namespace; `undefined` when it is absent. */
export function attributeOf(element: Element, name: string): string | undefined {
  return element.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined;
}

/** Refuses children other than those of these names. */
export function requireChildren(
  element: Element,
  allowed: readonly (readonly [namespace: string, name: string])[],
): void {
  const stranger = childrenOf(element).find(
    (child) => !allowed.some(([namespace, name]) => isNamed(child, namespace, name)),
  );
  if (stranger) throw new SamlError("document_unexpected", `It has an element ${stranger.localName}.`);
}

/** How many elements of this name are anywhere below. */
export function countBelow(element: Element, namespace: string, name: string): number {
  let count = 0;
  for (const child of Array.from(element.childNodes)) {
    if (child.nodeType !== 1) continue;
    if (isNamed(child as Element, namespace, name)) count += 1;
    count += countBelow(child as Element, namespace, name);
  }
  return count;
}
