/**
 * A module of CommonJS, as esbuild writes it, whose imports are loaded when first used. What esbuild calls `import_x` becomes
 * a function of that name. Each line stays where it was, so that a source map of the text still applies.
 */
export function withLazyImports(code: string): string {
  const loads: string[] = [];
  const names: string[] = [];
  const rest = code.replaceAll(/var (import_[\w$]+) ?= ?([^;\n]*require\("[^"]+"\)[^;\n]*);/g, (_, name, load) => {
    names.push(name);
    loads.push(`var ${name}$;function ${name}(){return ${name}$??=${load}}`);
    return "";
  });
  if (names.length === 0) return code;
  const uses = new RegExp(
    `(new )?(?<![\\w$]|(?<![.]{2})[.])(${names.map((name) => name.replaceAll("$", "[$]")).join("|")})(?![\\w$])`,
    "g",
  );
  const lazy = rest.replaceAll(uses, (_, made: string | undefined, name) => (made ? `new (${name}())` : `${name}()`));
  return lazy.replace('"use strict";', `"use strict";${loads.join("")}`);
}
