import { Link, type LinkProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useMe } from "../api/me.js";
import type { Area } from "../areas/area.js";
import { t } from "../texts/index.js";
import { StatusBadge, type Tone } from "../ui/status-badge.js";
import { Text } from "../ui/text.js";
import { useWorks } from "../work/use-works.js";
import type { Work, WorkKind } from "../work/work.js";
import { goOnWithWork, openWorks, putAwayWork, stopWork } from "../work/works.js";

const words = t.work;
const TONES: Readonly<Record<Work["status"], Tone>> = { running: "busy", paused: "warning", done: "good" };

/** The long work of whoever is signed in, whichever page began it: how far it is, and where it is shown. */
export function Tray() {
  const { areas } = useRouter().options.context as { readonly areas: readonly Area[] };
  const { id, tenant } = useMe();
  const owner = `${tenant.id} ${id}`;
  useEffect(
    () =>
      openWorks(
        owner,
        areas.flatMap(({ works = [] }) => works),
      ),
    [owner, areas],
  );
  const { all, lasts } = useWorks();
  const kinds = new Map(areas.flatMap(({ works = [] }) => works.map((kind) => [kind.name, kind] as const)));
  const over = all.filter(({ status }) => status === "done");
  const running = all.filter(({ status }) => status === "running");
  const titleOf = (work: Work) => kinds.get(work.kind)?.shows(work).title ?? "";
  if (all.length === 0) return null;
  return (
    <section className="tray" aria-label={words.title}>
      <strong>{words.title}</strong>
      <ul>
        {all.map((work) => (
          <Item key={work.id} work={work} kind={kinds.get(work.kind)} />
        ))}
      </ul>
      {running.length > 0 && (
        <p className="muted small">
          {words.elsewhere} {lasts ? `${closingOf(running, kinds)} ${words.signOut}` : words.notKept}
        </p>
      )}
      <p className="visually-hidden" role="status">
        {over.map((work) => words.over(titleOf(work))).at(-1)}
      </p>
    </section>
  );
}

/** What becomes of running work when the tab is closed, each sentence once. */
const closingOf = (running: readonly Work[], kinds: ReadonlyMap<string, WorkKind>) =>
  [...new Set(running.map(({ kind }) => kinds.get(kind)?.onClosing))].join(" ");

function Item({ work, kind }: { readonly work: Work; readonly kind: WorkKind | undefined }) {
  if (!kind) return null;
  const { id, status } = work;
  const { title, says, done, total, link } = kind.shows(work);
  const act = (label: string, does: (id: string) => Promise<void>) => (
    <button type="button" className="quiet" aria-label={words.about(label, title)} onClick={() => void does(id)}>
      {label}
    </button>
  );
  return (
    <li>
      <Link {...(link as LinkProps)}>
        <Text>{title}</Text>
      </Link>
      <StatusBadge tone={TONES[status]}>{words.states[status]}</StatusBadge>
      {status === "running" && <progress aria-label={title} {...(total === null ? {} : { value: done, max: total })} />}
      <span className="muted">{says}</span>
      {status === "running" && act(words.stop, stopWork)}
      {status === "paused" && act(words.goOn, goOnWithWork)}
      {status !== "running" && act(words.putAway, putAwayWork)}
    </li>
  );
}
