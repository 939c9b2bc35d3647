import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { Loaded } from "../../ui/loaded.js";
import { Empty } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Adopt } from "./adopt.js";
import { postureKey } from "./terms.js";

const words = t.compliance;

/** The frameworks there are, and which of them the organisation holds itself to. */
export function Frameworks() {
  const may = useMay();
  const list = useQuery({
    queryKey: postureKey("frameworks"),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai/compliance/frameworks", { params: { query: { size: 100 } }, signal })).data,
  });
  return (
    <section>
      <h2>{words.frameworks}</h2>
      <p className="muted">{words.frameworksHint}</p>
      <Loaded query={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty {...words.none} />
          ) : (
            <ul className="plain">
              {items.map((framework) => (
                <li key={framework.key} className="framework">
                  <span>
                    <Link to="/compliance/$framework" params={{ framework: framework.key }}>
                      <Text>{framework.name}</Text>
                    </Link>{" "}
                    <span className="muted">{words.controls(framework.controlCount)}</span>{" "}
                    <StatusBadge tone={framework.adoption ? "good" : "neutral"}>
                      {framework.adoption ? words.adopted : words.notAdopted}
                    </StatusBadge>
                  </span>
                  {may("ai-compliance:frameworks") && <Adopt framework={framework} />}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
