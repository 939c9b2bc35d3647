import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { client, type components } from "../api/client.js";
import { listKey } from "../api/keys.js";
import { useMay } from "../api/me.js";
import { t } from "../texts/index.js";
import { ReasonedAct } from "./reasoned-act.js";
import { plainText } from "./text.js";
import { TextField } from "./text-field.js";

type View = components["schemas"]["SavedView"];
type Filters = View["filters"];

interface SavedViewsProps {
  /** The list that they are views of, as its path in the console. */
  readonly list: string;
  /** The filters of the list as its address says them. */
  readonly search: object;
  /** Shows the list by other filters. */
  readonly onOpen: (filters: Filters) => void;
}

interface Said {
  readonly name: string;
  readonly shared: boolean;
}

interface ViewFieldsProps {
  readonly said: Said;
  readonly mayShare: boolean;
  readonly onChange: (said: Said) => void;
}

function ViewFields({ said, mayShare, onChange }: ViewFieldsProps) {
  return (
    <>
      <TextField
        label={t.views.name}
        value={said.name}
        required
        maxLength={200}
        onChange={(name) => onChange({ ...said, name })}
      />
      {mayShare && (
        <label className="choice">
          <input
            type="checkbox"
            checked={said.shared}
            onChange={({ target }) => onChange({ ...said, shared: target.checked })}
          />
          {t.views.share}
        </label>
      )}
    </>
  );
}

/** The filters of an address as texts. Which page of the list is shown is none. */
function filtersOf(search: object): Filters {
  const chosen = Object.entries(search).filter(([key, value]) => key !== "page" && value !== undefined);
  return Object.fromEntries(chosen.map(([key, value]) => [key, String(value)]));
}

const isSame = (one: Filters, other: Filters) =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value);

/** Views of a list: one chooses one, keeps what is shown as another, changes one, and removes one. The shown one is told by its filters. */
export function SavedViews({ list, search, onOpen }: SavedViewsProps) {
  const may = useMay();
  const mayShare = may("saved-view:share");
  const id = useId();
  const [said, setSaid] = useState<Said>({ name: "", shared: false });
  // What was on the screen when one began to change it, whatever others make of it meanwhile.
  const [opened, setOpened] = useState<View>();
  const query = { list: [list], size: 100 };
  const { data } = useQuery({
    queryKey: listKey("saved_view", query),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/saved-views", { params: { query }, signal })).data,
    enabled: may("saved-view:use"),
  });
  if (!data) return null;
  const filters = filtersOf(search);
  const shown = data.items.find((view) => isSame(view.filters, filters));
  const mayChange = shown !== undefined && (!shown.shared || mayShare);
  const groups = [
    { label: t.views.own, views: data.items.filter(({ shared }) => !shared) },
    { label: t.views.shared, views: data.items.filter(({ shared }) => shared) },
  ];
  return (
    <div className="saved-views">
      {data.items.length > 0 && (
        <div className="facet">
          <label htmlFor={id}>{t.views.title}</label>
          <select
            id={id}
            value={shown?.id ?? ""}
            onChange={({ target }) => onOpen(data.items.find((view) => view.id === target.value)?.filters ?? {})}
          >
            <option value="">{t.views.none}</option>
            {groups.map(
              ({ label, views }) =>
                views.length > 0 && (
                  <optgroup key={label} label={label}>
                    {views.map((view) => (
                      <option key={view.id} value={view.id}>
                        {plainText(view.name)}
                      </option>
                    ))}
                  </optgroup>
                ),
            )}
          </select>
        </div>
      )}
      <ReasonedAct
        isPlain
        label={t.views.save}
        title={t.views.saveTitle}
        isShown={!shown}
        stale={["saved_view"]}
        onOpen={() => setSaid({ name: "", shared: false })}
        act={() => client.POST("/api/v1/saved-views", { body: { list, filters, ...said } })}
      >
        <ViewFields said={said} mayShare={mayShare} onChange={setSaid} />
      </ReasonedAct>
      <ReasonedAct
        isPlain
        label={t.views.change}
        title={t.views.changeTitle(opened?.name ?? "")}
        {...(opened?.shared ? { hint: `${t.views.changesShared} ${t.views.takesBack}` } : {})}
        isShown={mayChange}
        stale={["saved_view"]}
        onOpen={() => {
          setOpened(shown);
          setSaid({ name: shown?.name ?? "", shared: shown?.shared ?? false });
        }}
        act={async () =>
          opened &&
          client.PATCH("/api/v1/saved-views/{id}", { params: { path: { id: opened.id } }, ifMatch: opened, body: said })
        }
      >
        <ViewFields said={said} mayShare={mayShare} onChange={setSaid} />
      </ReasonedAct>
      <ReasonedAct
        isPlain
        label={t.views.remove}
        title={t.views.removeTitle(shown?.name ?? "")}
        {...(shown?.shared ? { hint: t.views.removesShared } : {})}
        tone="danger"
        isShown={mayChange}
        stale={["saved_view"]}
        act={async () =>
          shown && client.DELETE("/api/v1/saved-views/{id}", { params: { path: { id: shown.id } }, ifMatch: shown })
        }
      />
      {data.nextCursor !== null && <p className="muted">{t.views.cut}</p>}
    </div>
  );
}
