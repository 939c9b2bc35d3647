/**
 * The document as the editor is to see it: without a head, so that it adopts its styles as sheets made by script. The content
 * security policy allows these, and refuses the `style` elements that the editor would put into a head.
 */
export function scriptedStyles(document: Document): Document {
  return new Proxy(document, {
    get(target, key) {
      if (key === "head") return undefined;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  });
}
