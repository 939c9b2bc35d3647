import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { configQuery } from "../api/config.js";
import { plainText, Text } from "./text.js";

interface PageProps {
  readonly title: string;
  /** The heading, where it is more than the title. */
  readonly heading?: ReactNode;
  /** Buttons beside the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Whether a page was shown before: the first one leaves the focus where the browser puts it. */
let isFirst = true;

/** A page: its title, and a heading that gets the focus when one comes from another page. */
export function Page({ title, heading = <Text>{title}</Text>, actions, children }: PageProps) {
  const { data: config } = useQuery(configQuery);
  const at = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const shown = plainText(title);
    document.title = config ? `${shown} · ${config.name}` : shown;
  }, [title, config]);
  useEffect(() => {
    if (!isFirst) at.current?.focus();
    isFirst = false;
  }, []);
  return (
    <>
      <div className="page-head">
        <h1 ref={at} tabIndex={-1}>
          {heading}
        </h1>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}
