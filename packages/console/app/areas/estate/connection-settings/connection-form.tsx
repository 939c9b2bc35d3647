import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client, ProblemError } from "../../../api/client.js";
import { fieldFault, isOvertaken } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { Loaded } from "../../../ui/loaded.js";
import { Failed } from "../../../ui/states.js";
import { TextField } from "../../../ui/text-field.js";
import type { Connection } from "../connections/terms.js";
import { SettingField } from "./setting-field.js";
import { configuredOf, enteredOf, type Manifest, settingsOf } from "./settings-of.js";

const words = t.connections.settings;

type Mode = Connection["governanceMode"];
const MODES = Object.keys(t.connections.modes) as readonly Mode[];

interface ConnectionFormProps {
  readonly providerKey: string;
  /** The connection to change; without one another is set up. */
  readonly connection?: Connection;
}

/** The form of a connection, with the fields that its connector declares. */
export function ConnectionForm({ providerKey, connection }: ConnectionFormProps) {
  const manifest = useQuery({
    queryKey: ["connector", providerKey, "manifest"],
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/connectors/{providerKey}/manifest", { params: { path: { providerKey } }, signal }))
        .data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded query={manifest}>
      {(data) => <Form key={providerKey} manifest={data} {...(connection ? { connection } : {})} />}
    </Loaded>
  );
}

/** The settings that the form began with. Tests of the connection change its version, and none of these. */
const settledOf = ({ name, governanceMode, status, configurationVersion }: Connection) =>
  JSON.stringify([name, governanceMode, status, configurationVersion]);

function Form({ manifest, connection: now }: { readonly manifest: Manifest; readonly connection?: Connection }) {
  const [opened] = useState(now);
  const settings = settingsOf(manifest);
  const [entered, setEntered] = useState(() => enteredOf(settings, opened?.configuration ?? {}));
  const [name, setName] = useState(opened?.name ?? "");
  const [mode, setMode] = useState<Mode>(opened?.governanceMode ?? "observe");
  const canBegin = opened === undefined || opened.status === "draft" || opened.status === "disabled";
  const [begins, setBegins] = useState(opened === undefined);
  const [isMoved, setMoved] = useState(false);
  const { configuration, secrets, unread } = configuredOf(settings, entered);
  const cache = useQueryClient();
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        ...{ configuration, governanceMode: mode },
        ...(Object.keys(secrets).length > 0 ? { secrets } : {}),
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(canBegin && begins ? { status: "active" as const } : {}),
        ...(isMoved ? { confirmTarget: true } : {}),
      };
      if (!opened) {
        const made = { ...body, providerKey: manifest.providerKey };
        return (await client.POST("/api/v1/connector-instances", { body: made })).data.id;
      }
      const params = { path: { id: opened.id } };
      const ifMatch = now && settledOf(now) === settledOf(opened) ? now : opened;
      await client.PUT("/api/v1/integrations/{id}/configuration", { params, ifMatch, body });
      return opened.id;
    },
    onSuccess: async (connectionId) => {
      await cache.invalidateQueries({ queryKey: ["connector_instance"] });
      await navigate({ to: "/estate/connections/$connectionId", params: { connectionId } });
    },
    onError: (error) =>
      isOvertaken(error) ? cache.invalidateQueries({ queryKey: ["connector_instance"] }) : undefined,
  });
  const leadsElsewhere = ProblemError.is(save.error) && save.error.code === "target_identity_changed";
  const canSave = !save.isPending && unread.length === 0;
  return (
    <form
      className="settings"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave) save.mutate();
      }}
    >
      <TextField
        label={words.name}
        hint={words.nameHint}
        fault={fieldFault(save.error, "/name")}
        maxLength={200}
        value={name}
        onChange={setName}
      />
      <Field label={t.connections.facts.mode} fault={fieldFault(save.error, "/governanceMode")}>
        {(ids) => (
          <select {...ids} value={mode} onChange={({ target }) => setMode(target.value as Mode)}>
            {MODES.map((one) => (
              <option key={one} value={one}>
                {t.connections.modes[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {settings.map((setting) => (
        <SettingField
          key={setting.name}
          setting={setting}
          value={entered[setting.name] ?? ""}
          isSet={opened?.secrets[setting.name]?.set ?? false}
          fault={unread.includes(setting.name) ? words.noJson : faultOf(save.error, setting.name)}
          onChange={(value) => setEntered({ ...entered, [setting.name]: value })}
        />
      ))}
      {canBegin && (
        <label className="choice">
          <input type="checkbox" checked={begins} onChange={({ target }) => setBegins(target.checked)} />
          {words.begin}
        </label>
      )}
      {save.isError && <Failed error={save.error} />}
      {(leadsElsewhere || isMoved) && (
        <label className="choice">
          <input type="checkbox" checked={isMoved} onChange={({ target }) => setMoved(target.checked)} />
          {words.moved}
        </label>
      )}
      <div className="decisions">
        <button type="submit" className="primary" aria-disabled={!canSave}>
          {words.save}
        </button>
        {opened ? (
          <Link to="/estate/connections/$connectionId" params={{ connectionId: opened.id }}>
            {t.dialog.cancel}
          </Link>
        ) : (
          <Link to="/estate/connections">{t.dialog.cancel}</Link>
        )}
      </div>
    </form>
  );
}

/** What is wrong with a setting or a part of it. */
function faultOf(error: unknown, name: string): string | undefined {
  if (!ProblemError.is(error)) return undefined;
  const places = [`/configuration/${name}`, `/secrets/${name}`];
  return error.errors.find(({ pointer = "" }) => places.some((at) => pointer === at || pointer.startsWith(`${at}/`)))
    ?.message;
}
