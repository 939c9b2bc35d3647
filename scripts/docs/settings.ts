import {
  KILL_SWITCHES,
  LIMITS,
  SETTINGS,
  type SettingKey,
  settingShape,
  TARGETED_SWITCHES,
} from "@reeve/core/reference";
import { resolveOptions } from "../../packages/core/src/families/options.js";
import { code, markdownPage, type ReferencePage, table } from "./markdown.js";

/** Every setting, kill switch and limit that the provider can change while the service runs. */
export function settingsPage(): ReferencePage {
  const options = resolveOptions({ baseUrl: "https://reeve.example" });
  return markdownPage("settings.md", "Settings, kill switches and limits", [
    "What the provider's people change while the service runs, without a restart. How: " +
      "[Running the service for tenants](../guides/running-for-tenants.md).",
    "## Settings",
    "A stored setting overrides the [option](options.md) of the control plane; the default shown here is that of the option when " +
      "it is left out. `GET /api/v1/support/config` shows what is in force. Keys of the provider's own begin with `custom.` and take " +
      "any JSON value up to 8 KiB.",
    table(
      ["Key", "Takes", "Default", "Meaning"],
      Object.entries(SETTINGS).map(([key, setting]) => [
        code(key),
        inWords(settingShape(key as SettingKey)),
        code(JSON.stringify(setting.byDefault(options))),
        setting.description,
      ]),
    ),
    "## Kill switches",
    "An engaged switch is felt at once in the process that engaged it and within five seconds in every other. An operation that " +
      "cannot read its switches takes them for engaged.",
    table(
      ["Key", "Stops"],
      [
        ...Object.entries(KILL_SWITCHES).map(([key, what]) => [code(key), what]),
        ...Object.entries(TARGETED_SWITCHES).map(([prefix, what]) => [code(`${prefix}<id>`), what]),
      ],
    ),
    "## Limits",
    "Granted to a tenant as an entitlement of kind `limit`; without one the setting `limits.<key>` holds. Reached: 403 " +
      "`limit_exceeded`.",
    table(
      ["Key", "Counts", "Capability"],
      Object.entries(LIMITS).map(([key, { description, capability }]) => [code(key), description, code(capability)]),
    ),
  ]);
}

interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Shape[];
}

/** The values of a setting, as text. */
function inWords({ type, enum: values, minimum, maximum, anyOf }: Shape): string {
  if (anyOf) return anyOf.map(inWords).join(" or ");
  if (values) return values.map((value) => code(String(value))).join(", ");
  if (type === "integer") return `${minimum} to ${maximum}`;
  if (type === "string") return "an RFC 3339 time with milliseconds, in UTC";
  return type === "null" ? code("null") : (type ?? "");
}
