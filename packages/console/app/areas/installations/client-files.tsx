import { useQuery } from "@tanstack/react-query";
import { client } from "../../api/client.js";
import { figureKey } from "../../api/keys.js";
import { t } from "../../texts/index.js";
import { DataTable, wholePage } from "../../ui/data-table.js";
import { Loaded } from "../../ui/loaded.js";
import { Text } from "../../ui/text.js";
import type { Bundle, PUBLISHED } from "./terms.js";

const words = t.installations.told;
/** What changes of these may change the files. */
const TYPES = ["publication", "ai_asset", "ai_agent", "mcp_server"];

interface ClientFilesProps {
  readonly agentId: string;
  readonly of: (typeof PUBLISHED)[number];
}

/** The files that a client is told now: what it may use, how strictly it holds to that, and what is left out. */
export function ClientFiles({ agentId, of }: ClientFilesProps) {
  const bundle = useQuery({
    queryKey: figureKey("publication", TYPES, { agentId, of }),
    queryFn: async ({ signal }) =>
      (
        await client.GET("/api/v1/ai-assets/{assetId}/publication", {
          params: { path: { assetId: agentId }, query: { clientName: of } },
          signal,
        })
      ).data,
  });
  return <Loaded query={bundle}>{(data) => <Told bundle={data} />}</Loaded>;
}

function Told({ bundle }: { readonly bundle: Bundle }) {
  const { number, entries, leftOut, notControlled, triedWith, files, directory } = bundle;
  return (
    <>
      <p>{number === null ? words.missing : words.number(number)}</p>
      <p>{triedWith === null ? words.notTried : words.triedWith(triedWith)}</p>
      <h3>{words.entries}</h3>
      <DataTable
        caption={words.entries}
        columns={[
          { key: "name", head: words.server, cell: ({ name }) => <Text>{name}</Text> },
          { key: "held", head: words.heldTo, cell: ({ heldTo }) => words.held[heldTo] },
        ]}
        page={wholePage(entries)}
        rowKey={({ assetId }) => assetId}
        empty={<p>{words.noEntries}</p>}
      />
      {leftOut.length > 0 && (
        <>
          <h3>{words.leftOut}</h3>
          <DataTable
            caption={words.leftOut}
            columns={[
              { key: "name", head: words.server, cell: ({ name }) => <Text>{name}</Text> },
              { key: "why", head: words.why, cell: ({ reasons }) => <Text>{inWords(reasons)}</Text> },
            ]}
            page={wholePage(leftOut)}
            rowKey={({ assetId }) => assetId}
            empty={null}
          />
        </>
      )}
      {notControlled.length > 0 && (
        <>
          <h3>{words.notControlled}</h3>
          <ul>
            {notControlled.map((one) => (
              <li key={one}>
                <Text>{one}</Text>
              </li>
            ))}
          </ul>
        </>
      )}
      <details>
        <summary>{words.files}</summary>
        <p>
          <Text>{words.directory(directory)}</Text>
        </p>
        {files.map(({ path, content }) => (
          <figure key={path}>
            <figcaption>
              <code>
                <Text>{path}</Text>
              </code>
            </figcaption>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse one scrolls it by keys, which takes the focus */}
            <pre className="data" tabIndex={0}>
              <Text>{content}</Text>
            </pre>
          </figure>
        ))}
      </details>
    </>
  );
}

const inWords = (codes: readonly string[]) => codes.map((code) => code.replaceAll("_", " ")).join(", ");
