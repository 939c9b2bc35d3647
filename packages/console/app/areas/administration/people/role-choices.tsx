import { useQuery } from "@tanstack/react-query";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Text } from "../../../ui/text.js";
import { roleName } from "../terms.js";
import { rolesQuery } from "./roles-query.js";

interface RoleChoicesProps {
  readonly chosen: readonly string[];
  readonly onChange: (roles: readonly string[]) => void;
}

/** The roles to choose from: those that there are, and others that are held already. */
export function RoleChoices({ chosen, onChange }: RoleChoicesProps) {
  const roles = useQuery(rolesQuery);
  const toggle = (role: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, role] : chosen.filter((one) => one !== role));
  return (
    <fieldset>
      <legend>{t.administration.columns.roles}</legend>
      <Loaded query={roles}>
        {({ items }) =>
          [...new Set([...items.map(({ name }) => name), ...chosen])].map((role) => (
            <label key={role} className="choice">
              <input
                type="checkbox"
                checked={chosen.includes(role)}
                onChange={({ target }) => toggle(role, target.checked)}
              />
              <Text>{roleName(role)}</Text>
            </label>
          ))
        }
      </Loaded>
    </fieldset>
  );
}
