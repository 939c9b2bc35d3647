/** A link of the host in the header of the console. */
export interface ConsoleLink {
  readonly label: string;
  /** An http or https address, or a path of the host. */
  readonly href: string;
}

/** The host's logo, shown in place of its name. */
export interface ConsoleLogo {
  /** `image/svg+xml`, `image/png` or `image/webp`. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** How a host makes the console its own. */
export interface ConsoleOptions {
  /** Name in the header and in titles; `Reeve` if absent. */
  readonly name?: string;
  readonly logo?: ConsoleLogo;
  /** Colour of what can be pressed, as `#rrggbb`. */
  readonly accent?: string;
  readonly links?: readonly ConsoleLink[];
  /** Areas that are shown, as `inbox`, `estate` and `stop`; all if absent. Operations are not touched by it. */
  readonly areas?: readonly string[];
  /** Take no approval that binds values which the page cannot show; `false` if absent, and the page names them. */
  readonly refuseHidden?: boolean;
}

const PICTURES = ["image/svg+xml", "image/png", "image/webp"];

/** Refuses options that cannot work, each with what it must be. */
export function checkOptions({ name, logo, accent, links, areas }: ConsoleOptions): void {
  const faults = [
    ...(name === undefined || isText(name) ? [] : ["name must be a text"]),
    ...(logo === undefined || PICTURES.includes(logo.contentType) ? [] : [`logo must be ${PICTURES.join(" or ")}`]),
    ...(accent === undefined || /^#[\da-f]{6}$/i.test(accent) ? [] : ["accent must be a colour as #0a5cff"]),
    ...(links === undefined || links.every(isLink)
      ? []
      : ["links must have a label and an http or https address each"]),
    ...(areas === undefined || areas.every(isText) ? [] : ["areas must be names"]),
  ];
  if (faults.length > 0) throw new TypeError(`consolePages cannot work with these options:\n- ${faults.join("\n- ")}`);
}

const isText = (given: unknown) => typeof given === "string" && given !== "";
const isLink = ({ label, href }: ConsoleLink) => isText(label) && /^(?:https?:\/\/|\/(?!\/))/.test(href);
