interface ChoicesProps<Name extends string> {
  readonly label: string;
  readonly all: readonly Name[];
  readonly named: Readonly<Record<Name, string>>;
  readonly chosen: readonly Name[];
  readonly onChange: (chosen: readonly Name[]) => void;
}

/** Some of many values, each as a box. */
export function Choices<Name extends string>({ label, all, named, chosen, onChange }: ChoicesProps<Name>) {
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      {all.map((name) => (
        <label key={name} className="choice">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
            }
          />
          {named[name]}
        </label>
      ))}
    </fieldset>
  );
}
