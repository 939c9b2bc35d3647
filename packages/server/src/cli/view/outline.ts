import { shownText } from "./shown-text.js";

const INDENT = "  ";

/** Fields that every record has, and that few people look for. */
const LAST = ["version", "metadata", "attributes", "createdAt", "createdBy", "updatedAt", "updatedBy"];

/** A record as indented lines, without what is empty. */
export function outlineOf(record: object): string[] {
  const entries = Object.entries(record);
  const sorted = [
    ...entries.filter(([name]) => !LAST.includes(name)),
    ...entries.filter(([name]) => LAST.includes(name)),
  ];
  return sorted.flatMap(([name, value]) => entryOf(name, value, ""));
}

function entryOf(name: string, value: unknown, indent: string): string[] {
  const shown = `${indent}${shownText(name)}:`;
  if (isEmpty(value)) return [];
  if (Array.isArray(value) && value.every((item) => typeof item !== "object"))
    return [`${shown} ${value.map((item) => shownText(String(item))).join(", ")}`];
  if (Array.isArray(value)) return [shown, ...value.flatMap((item) => itemOf(item, indent + INDENT))];
  if (typeof value === "object")
    return [shown, ...Object.entries(value as object).flatMap(([key, one]) => entryOf(key, one, indent + INDENT))];
  return [`${shown} ${shownText(String(value))}`];
}

/** An item of a list, with a dash before its first line. */
function itemOf(item: unknown, indent: string): string[] {
  const lines = Object.entries(Object(item)).flatMap(([name, value]) => entryOf(name, value, `${indent}  `));
  return lines.map((line, at) => (at === 0 ? `${indent}- ${line.slice(indent.length + 2)}` : line));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.values(value).every(isEmpty);
}
