import { useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { AdministrationNav } from "../administration-nav.js";
import { Setting } from "./setting.js";
import { SETTINGS, shownOf } from "./settings.js";

/** The settings of the organisation: what each means, and what is in force. */
export function SettingsPage() {
  const may = useMay();
  const settings = useQuery({
    queryKey: recordKey("tenant", "own", "settings"),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/tenant/settings", { signal })).data,
  });
  const { columns, names } = t.administration.settings;
  return (
    <Page title={t.administration.navigation.settings}>
      <AdministrationNav />
      <p>{t.administration.settings.bounds}</p>
      <Loaded query={settings}>
        {(data) => (
          <div className="table-scroll">
            <table className="data-table">
              <caption className="visually-hidden">{t.administration.navigation.settings}</caption>
              <thead>
                <tr>
                  <th scope="col">{columns.name}</th>
                  <th scope="col">{columns.value}</th>
                  {may("tenant-settings:write") && <th scope="col">{columns.change}</th>}
                </tr>
              </thead>
              <tbody>
                {SETTINGS.map((setting) => (
                  <tr key={setting.name}>
                    <th scope="row" data-head={columns.name}>
                      {names[setting.name].label}
                      <p className="muted small">{names[setting.name].hint}</p>
                    </th>
                    <td data-head={columns.value}>{shownOf(setting, data)}</td>
                    {may("tenant-settings:write") && (
                      <td data-head={columns.change}>
                        <Setting setting={setting} settings={data} />
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
