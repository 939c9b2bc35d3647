// Which events a slice is about.

/**
 * @typedef {Readonly<Record<string, unknown>>} Value
 * @typedef {{ subject?: string[], actor?: string[], kind?: string[], type?: string[] }} Criteria
 */

/** @param {unknown} value @returns {value is Value} */
export const isValue = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value @returns {value is Criteria} */
export const isCriteria = (value) =>
  isValue(value) &&
  Object.entries(value).every(
    ([name, values]) =>
      ["subject", "actor", "kind", "type"].includes(name) &&
      Array.isArray(values) &&
      values.length > 0 &&
      values.every((one) => typeof one === "string"),
  );

/** The keys of each criterion, as the index of a checkpoint has them. @param {Criteria} criteria */
export const keysOf = (criteria) =>
  Object.entries(criteria).map(([name, values]) => values.map((value) => `${name}:${value}`));

/** Whether an event fits all criteria. @param {Value} attributes @param {readonly (readonly string[])[]} keys */
export function fits({ subject, related, authid, subjecttype, type }, keys) {
  const subjects = [subject, ...String(related ?? "").split(" ")].map((id) => `subject:${id}`);
  const own = new Set([...subjects, `actor:${authid}`, `kind:${subjecttype}`, `type:${type}`]);
  return keys.every((some) => some.some((key) => own.has(key)));
}
