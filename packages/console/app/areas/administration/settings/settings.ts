import { t } from "../../../texts/index.js";
import type { TenantSettings } from "../terms.js";

/** A setting of the organisation, and how its value is written in a form. */
export interface SettingField {
  readonly name: keyof typeof t.administration.settings.names & keyof TenantSettings;
  /** `days` is a number of days for each severity, with none as "without a date". */
  readonly kind: "choice" | "flag" | "number" | "lines" | "days";
  readonly choices?: readonly string[];
}

export const SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;

/** What people of an organisation set. Notice of unused access has a page of its own where access is governed. */
export const SETTINGS: readonly SettingField[] = [
  { name: "secondFactor", kind: "choice", choices: ["optional", "required"] },
  { name: "stepUpMinutes", kind: "number" },
  { name: "relatedParty", kind: "choice", choices: ["flag", "refuse"] },
  { name: "reReviewDays", kind: "number" },
  { name: "slaDays", kind: "days" },
  { name: "decisionDefault", kind: "choice", choices: ["deny", "allow"] },
  { name: "undeclaredTools", kind: "choice", choices: ["deny", "warn"] },
  { name: "approvalMinutes", kind: "number" },
  { name: "loggedFields", kind: "lines" },
  { name: "evaluationDays", kind: "number" },
  { name: "strictBodies", kind: "flag" },
  { name: "disabledConnectors", kind: "lines" },
];

/** What a form holds: a text a field. */
export type Form = Readonly<Record<string, string>>;

export function formOf({ name, kind }: SettingField, settings: TenantSettings): Form {
  const value = settings[name];
  if (kind === "lines") return { value: (value as readonly string[]).join("\n") };
  if (kind !== "days") return { value: value === null ? "" : String(value) };
  const days = value as TenantSettings["slaDays"];
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, days[severity]?.toString() ?? ""]));
}

/** The value that a form means. The server says what it must be. */
export function meantBy({ kind }: SettingField, form: Form): unknown {
  const { value = "" } = form;
  const numberOf = (text = "") => (text === "" ? null : Number(text));
  if (kind === "flag") return value === "true";
  if (kind === "number") return numberOf(value);
  if (kind === "days") return Object.fromEntries(SEVERITIES.map((severity) => [severity, numberOf(form[severity])]));
  if (kind === "lines") return value.split("\n").filter((line) => line.trim() !== "");
  return value;
}

/** The value in words. */
export function shownOf({ name, kind }: SettingField, settings: TenantSettings): string {
  const { choices, severities, noDate, off } = t.administration.settings;
  const value = settings[name];
  if (kind === "days")
    return SEVERITIES.map(
      (severity) => `${severities[severity]}: ${(value as TenantSettings["slaDays"])[severity] ?? noDate}`,
    ).join(", ");
  if (kind === "lines") return (value as readonly string[]).join(", ") || t.none;
  if (value === null) return off;
  return choices[String(value) as keyof typeof choices] ?? String(value);
}
