import { Link } from "@tanstack/react-router";

export interface Tab {
  readonly value: string;
  readonly label: string;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  /** Name of the search parameter that says which one is shown. */
  readonly param?: string;
}

/** Parts of one page. Each has an address that can be sent, so they are links. */
export function Tabs({ label, tabs, selected, param = "tab" }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ value, label: text }) => (
        <Link
          key={value}
          to="."
          search={(before: object) => ({ ...before, [param]: value })}
          aria-current={value === selected ? "page" : undefined}
          activeProps={{}}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
