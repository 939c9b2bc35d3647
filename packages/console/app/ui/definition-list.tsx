import type { ReactNode } from "react";

/** Facts about one thing, each with its name. */
export function DefinitionList({ items }: { readonly items: readonly (readonly [term: string, value: ReactNode])[] }) {
  return (
    <dl className="definitions">
      {items.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
