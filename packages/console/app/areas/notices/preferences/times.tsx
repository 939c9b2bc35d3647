import { fieldFault } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { Choices } from "../../../ui/choices.js";
import { Select } from "../../../ui/select.js";
import type { Preferences } from "../terms.js";
import { type Changes, OFFICE_HOURS, timeZones } from "./draft.js";

interface TimesProps {
  readonly preferences: Omit<Preferences, "changedAt">;
  /** Why they were not saved. */
  readonly error: unknown;
  readonly onChange: (changes: Changes) => void;
}

const words = t.notices.preferences;
const DAYS = ["1", "2", "3", "4", "5", "6", "7"] as const;

const hours = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => ({ value: String(first + at), label: words.hour(first + at) }));

/** When mails are sent, in which zone and language. */
export function Times({ preferences, error, onChange }: TimesProps) {
  const { digestHour, timeZone, language, workingHours } = preferences;
  const changeHours = (change: Partial<typeof OFFICE_HOURS>) =>
    onChange({ workingHours: { ...OFFICE_HOURS, ...workingHours, ...change } });
  return (
    <>
      <Select
        label={words.language}
        options={(["en", "de"] as const).map((value) => ({ value, label: words.languages[value] }))}
        value={language}
        onChange={(value) => onChange({ language: value === "de" ? "de" : "en" })}
      />
      <Select
        label={words.timeZone}
        fault={fieldFault(error, "/timeZone")}
        options={timeZones(timeZone).map((value) => ({ value, label: value }))}
        value={timeZone}
        onChange={(value) => onChange({ timeZone: value })}
      />
      <Select
        label={words.digestHour}
        options={hours(0, 23)}
        value={String(digestHour)}
        onChange={(value) => onChange({ digestHour: Number(value) })}
      />
      <div>
        <label className="choice">
          <input
            type="checkbox"
            checked={workingHours !== null}
            onChange={({ target }) => onChange({ workingHours: target.checked ? OFFICE_HOURS : null })}
          />
          {words.workingHours}
        </label>
        <p className="muted small">{words.workingHint}</p>
      </div>
      {workingHours && (
        <>
          <Choices
            label={words.days}
            all={DAYS}
            named={words.dayNames}
            chosen={DAYS.filter((day) => workingHours.days.includes(Number(day)))}
            onChange={(days) => changeHours({ days: days.map(Number).sort() })}
          />
          <Select
            label={words.from}
            options={hours(0, 23)}
            value={String(workingHours.from)}
            onChange={(value) => changeHours({ from: Number(value) })}
          />
          <Select
            label={words.to}
            fault={fieldFault(error, "/workingHours")}
            options={hours(1, 24)}
            value={String(workingHours.to)}
            onChange={(value) => changeHours({ to: Number(value) })}
          />
        </>
      )}
    </>
  );
}
