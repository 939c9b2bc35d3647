import { t } from "../../../texts/index.js";
import { ROLES, roleName } from "../terms.js";

interface RoleChoicesProps {
  readonly chosen: readonly string[];
  readonly onChange: (roles: readonly string[]) => void;
}

/** The roles to choose from: the built-in ones, and others that are held already. */
export function RoleChoices({ chosen, onChange }: RoleChoicesProps) {
  const names = [...new Set<string>([...ROLES, ...chosen])];
  const toggle = (role: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, role] : chosen.filter((one) => one !== role));
  return (
    <fieldset>
      <legend>{t.administration.columns.roles}</legend>
      {names.map((role) => (
        <label key={role} className="choice">
          <input
            type="checkbox"
            checked={chosen.includes(role)}
            onChange={({ target }) => toggle(role, target.checked)}
          />
          {roleName(role)}
        </label>
      ))}
    </fieldset>
  );
}
