import { t } from "../texts/index.js";
import { Text } from "./text.js";
import { Time } from "./time.js";

/** The most values that one page shows. Of a larger record it says what it leaves out. */
export const MOST_VALUES = 2_000;

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** How many single values a record holds. */
export function valuesIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + valuesIn(one), 0);
  if (typeof value === "object" && value !== null)
    return Object.values(value).reduce<number>((sum, one) => sum + valuesIn(one), 0);
  return 1;
}

/** The name of a field in words: `dataClassification` is `data classification`. */
const inWords = (key: string) => key.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A record as it is, every field of it, without a choice of what matters. */
export function Whole({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined) return <span className="muted">{t.none}</span>;
  if (typeof value === "string") return MOMENT.test(value) ? <Time at={value} /> : <Text>{value}</Text>;
  if (typeof value === "boolean") return <>{value ? t.whole.yes : t.whole.no}</>;
  if (Array.isArray(value))
    return value.length === 0 ? <span className="muted">{t.none}</span> : <List items={value} />;
  if (typeof value === "object") return <Fields record={value as Record<string, unknown>} />;
  return <>{String(value)}</>;
}

function List({ items }: { readonly items: readonly unknown[] }) {
  return (
    <ol className="whole-list">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list of a record is shown as it is, and its entries have no names
        <li key={index}>
          <Whole value={item} />
        </li>
      ))}
    </ol>
  );
}

function Fields({ record }: { readonly record: Record<string, unknown> }) {
  const entries = Object.entries(record);
  if (entries.length === 0) return <span className="muted">{t.none}</span>;
  return (
    <dl className="definitions whole">
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt>
            <Text>{inWords(key)}</Text>
          </dt>
          <dd>
            <Whole value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
