/**
 * @typedef {{ [name: string]: unknown }} Json
 * @typedef {{ description?: string, parameters?: Json[], requestBody?: { content: Record<string, { schema: Json }> }, responses: Record<string, Json> }} Described
 * @typedef {Record<string, Record<string, Described>>} Paths
 */

const WIDTH = 100;

/**
 * An OpenAPI document with the call of `@reeve/client` below the description of each operation.
 * @param {Json} document
 * @returns {Json}
 */
export function withClientCalls(document) {
  const entries = Object.entries(/** @type {Paths} */ (document.paths ?? {})).map(([path, methods]) => {
    const described = Object.entries(methods).map(([method, operation]) => {
      const parts = [operation.description ?? "", `\`\`\`ts\n${clientCall(document, path, method)}\n\`\`\``];
      return [method, { ...operation, description: parts.join("\n\n") }];
    });
    return [path, Object.fromEntries(described)];
  });
  return { ...document, paths: Object.fromEntries(entries) };
}

/**
 * How `@reeve/client` calls an operation of an OpenAPI document: with the example of its body, and what its address
 * requires as variables.
 * @param {Json} document
 * @param {string} path
 * @param {string} method
 */
export function clientCall(document, path, method) {
  const operation = /** @type {Paths} */ (document.paths)[path]?.[method];
  if (!operation) throw new Error(`the document has no operation ${method} ${path}`);
  const given = [JSON.stringify(path), ...initOf(document, operation)].join(", ");
  const [status = "", answer = {}] = Object.entries(operation.responses)[0] ?? [];
  if (isList(document, answer)) return `for await (const item of client.items(${given})) use(item);`;
  const call = `await client.${method.toUpperCase()}(${given});`;
  return status === "204" ? call : `const { data } = ${call}`;
}

/** @param {Json} document @param {Described} operation @returns {string[]} */
function initOf(document, { parameters = [], requestBody }) {
  const required = parameters.map((parameter) => resolved(document, parameter)).filter((one) => one.required === true);
  const places = ["path", "query"].flatMap((place) => {
    const names = required.filter((parameter) => parameter.in === place).map(({ name }) => String(name));
    return names.length > 0 ? [`${place}: { ${names.join(", ")} }`] : [];
  });
  const example = resolved(document, requestBody?.content["application/json"]?.schema ?? {}).example;
  const parts = [
    ...(places.length > 0 ? [`params: { ${places.join(", ")} }`] : []),
    ...(example === undefined ? [] : [`body: ${literal(example, "  ")}`]),
  ];
  if (parts.length === 0) return [];
  const isLong = parts.some((part) => part.includes("\n")) || parts.join(", ").length > WIDTH / 2;
  return [isLong ? `{\n${parts.map((part) => `  ${part},\n`).join("")}}` : `{ ${parts.join(", ")} }`];
}

/** Whether an answer is a page with a cursor. @param {Json} document @param {Json} answer */
function isList(document, answer) {
  const { content } = resolved(document, answer);
  const schema = Object(content)["application/json"]?.schema;
  const parts = /** @type {Json[]} */ (resolved(document, schema ?? {}).allOf ?? []);
  return parts.some(({ $ref }) => $ref === "#/components/schemas/Page");
}

/** Resolves a reference. @param {Json} document @param {Json} value @returns {Json} */
function resolved(document, value) {
  if (typeof value.$ref !== "string") return value;
  const names = value.$ref.split("/").slice(1);
  return resolved(
    document,
    names.reduce((found, name) => /** @type {Json} */ (found[name]), document),
  );
}

/**
 * A value as source text, on several lines if too long. @param {unknown} value @param {string} indent @returns {string}
 */
function literal(value, indent) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, shut] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const name = (/** @type {string} */ key) => (/^[a-z_$][\w$]*$/i.test(key) ? key : JSON.stringify(key));
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, deeper))
    : Object.entries(value).map(([key, one]) => `${name(key)}: ${literal(one, deeper)}`);
  if (parts.length === 0) return `${open}${shut}`;
  const line = Array.isArray(value) ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  if (line.length + indent.length <= WIDTH && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${deeper}${part},\n`).join("")}${indent}${shut}`;
}
