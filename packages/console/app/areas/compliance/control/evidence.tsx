import { Link } from "@tanstack/react-router";
import { t } from "../../../texts/index.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { AddEvidence } from "./add-evidence.js";
import type { Assessment } from "./use-assessment.js";

const words = t.compliance;

interface EvidenceOfProps {
  readonly framework: string;
  readonly controlId: string;
  readonly record: Assessment | null;
  readonly mayAssess: boolean;
}

/** The evidence that people have attached to a control, with its age. */
export function EvidenceOf({ framework, controlId, record, mayAssess }: EvidenceOfProps) {
  const evidence = record?.evidence ?? [];
  return (
    <section>
      <h2>{words.evidence}</h2>
      {evidence.length === 0 ? <p>{words.noEvidence}</p> : <Items evidence={evidence} />}
      {mayAssess && <AddEvidence framework={framework} controlId={controlId} record={record} />}
      {record && (
        <p>
          <Link to="/activity" search={{ subject: record.id }}>
            {words.history}
          </Link>
        </p>
      )}
    </section>
  );
}

function Items({ evidence }: { readonly evidence: Assessment["evidence"] }) {
  const head = words.item;
  return (
    <table className="data-table">
      <caption className="visually-hidden">{words.evidence}</caption>
      <thead>
        <tr>
          {Object.values(head).map((each) => (
            <th key={each} scope="col">
              {each}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {evidence.map(({ id, type, ref, note, collectedAt, validUntil, by, retiredAt }) => (
          <tr key={id}>
            <td data-head={head.type}>{words.evidenceTypes[type]}</td>
            <td data-head={head.ref}>
              <Text>{ref}</Text> {note && <Text>{note}</Text>}
            </td>
            <td data-head={head.collected}>
              <Time at={collectedAt} age />
            </td>
            <td data-head={head.until}>
              <Time at={validUntil} absent={t.none} />
            </td>
            <td data-head={head.by}>
              <Text>{by}</Text>
            </td>
            <td data-head={head.use}>
              <Use retiredAt={retiredAt} validUntil={validUntil ?? null} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Use({ retiredAt, validUntil }: { readonly retiredAt: string | null; readonly validUntil: string | null }) {
  if (retiredAt !== null) return <StatusBadge tone="neutral">{words.retired}</StatusBadge>;
  if (validUntil !== null && Date.parse(validUntil) <= Date.now())
    return <StatusBadge tone="unknown">{words.over}</StatusBadge>;
  return <StatusBadge tone="good">{words.inUse}</StatusBadge>;
}
