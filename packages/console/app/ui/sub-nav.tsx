import { Link } from "@tanstack/react-router";

interface SubNavProps {
  readonly label: string;
  /** Addresses of pages, each with its words. */
  readonly pages: readonly (readonly [to: string, label: string])[];
  /** Whether what the address says beside its path, as filters, goes along. */
  readonly keepsSearch?: boolean;
}

/** The pages of an area that has several. */
export function SubNav({ label, pages, keepsSearch = false }: SubNavProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {pages.map(([to, text]) => (
        <Link
          key={to}
          to={to}
          {...(keepsSearch ? { search: true as const } : {})}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
