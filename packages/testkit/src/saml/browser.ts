const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x2F": "/" };
const text = (html: string) => html.replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
const attribute = (tag: string, name: string) => {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i").exec(tag);
  return found ? text(found[1] ?? found[2] ?? "") : undefined;
};

export interface Shown {
  readonly url: string;
  readonly status: number;
  readonly html: string;
}

/** A browser without scripts: it keeps cookies, follows redirects, and sends forms that send themselves. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Opens an address and goes on until a page wants something of a person. */
  async open(url: string, init: { readonly form?: Readonly<Record<string, string>> } = {}): Promise<Shown> {
    let next: { url: string; form?: Readonly<Record<string, string>> | undefined } = { url, form: init.form };
    for (let steps = 0; steps < 20; steps += 1) {
      const shown = await this.#ask(next.url, next.form);
      const onward = typeof shown === "string" ? { url: shown } : this.#onward(shown);
      if (!onward) return shown as Shown;
      next = onward;
    }
    throw new Error(`no end of redirects from ${url}`);
  }

  /** Sends the form of a page with what a person types. */
  submit({ url, html }: Shown, typed: Readonly<Record<string, string>>): Promise<Shown> {
    const form = formOf(html, url);
    if (!form) throw new Error(`there is no form at ${url}: ${html.slice(0, 500)}`);
    return this.open(form.url, { form: { ...form.fields, ...typed } });
  }

  async #ask(url: string, form: Readonly<Record<string, string>> | undefined): Promise<Shown | string> {
    const { host } = new URL(url);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", ...(cookie ? { cookie } : {}) };
    const body = form && new URLSearchParams(form);
    const answer = await fetch(url, {
      method: form ? "POST" : "GET",
      headers,
      redirect: "manual",
      ...(body ? { body } : {}),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [pair = "", ...rest] = set.split(";");
      const at = pair.indexOf("=");
      if (rest.some((part) => /^\s*max-age=0/i.test(part))) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const html = await answer.text();
    const location = answer.headers.get("location");
    const isPage = location === null || answer.status < 300 || answer.status >= 400;
    return isPage ? { url, status: answer.status, html } : new URL(location, url).href;
  }

  /** Where a page leads by itself: by a form of SAML, or by its refresh. */
  #onward({ url, html }: Shown) {
    const form = formOf(html, url);
    if (form && Object.keys(form.fields).some((name) => name === "SAMLResponse" || name === "SAMLRequest"))
      return { url: form.url, form: form.fields };
    const refresh = /http-equiv="refresh" content="\d+;\s*url=([^"]+)"/i.exec(html)?.[1];
    return refresh === undefined ? undefined : { url: new URL(text(refresh), url).href };
  }
}

function formOf(html: string, base: string) {
  const form = /<form\b[^>]*>[\s\S]*?<\/form>/i.exec(html)?.[0];
  if (!form) return undefined;
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input\b[^>]*>/gi)) {
    const name = attribute(input, "name");
    if (name) fields[name] = attribute(input, "value") ?? "";
  }
  return { url: new URL(attribute(form.slice(0, form.indexOf(">")), "action") ?? "", base).href, fields };
}
