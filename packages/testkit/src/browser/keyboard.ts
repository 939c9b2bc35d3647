import { errors, type FileChooser, type Page } from "playwright-core";

type Role = Parameters<Page["getByRole"]>[0];
type Files = Parameters<FileChooser["setFiles"]>[0];

const MOST = 80;

/** A person without a mouse. */
export interface Keyboard {
  /**
   * Waits for the control of this role and accessible name, and presses Tab until it has the focus. Throws after `most` presses
   * (default 80), with the names of the controls on the way, and when a control on the way does not show that it has the focus.
   */
  tabTo(role: string, name: string | RegExp, most?: number): Promise<void>;
  /** As `tabTo`, backwards. */
  tabBackTo(role: string, name: string | RegExp): Promise<void>;
  /** Tabs to a control and presses Enter. */
  activate(role: string, name: string | RegExp, most?: number): Promise<void>;
  /** Tabs to a field, and types in place of what it holds. */
  fill(role: string, name: string | RegExp, text: string): Promise<void>;
  /** Tabs to a box or a switch, and presses Space. */
  toggle(role: string, name: string | RegExp): Promise<void>;
  /** Tabs to a list of choices, and types the words of one. Throws when another is chosen by them. */
  choose(name: string | RegExp, option: string): Promise<void>;
  /** Tabs to a field for files, and presses Space. The dialog of the system that opens then is given these. */
  chooseFiles(name: string | RegExp, files: Files): Promise<void>;
  /** Tabs to the words that something is folded below, and presses Enter. */
  unfold(summary: string): Promise<void>;
  press(key: string, times?: number): Promise<void>;
  /** Role and accessible name of the control that has the focus, as in `button "Save"`. */
  focused(): Promise<string>;
}

/** Does everything by keys alone. */
export function byKeyboard(page: Page): Keyboard {
  const focused = () => focusOf(page);
  const walk = async (key: "Tab" | "Shift+Tab", wanted: string, isThere: (at: string) => boolean, most: number) => {
    const passed: string[] = [];
    for (let presses = 0; presses <= most; presses++) {
      const at = await focused();
      if (isThere(at)) return;
      passed.push(at);
      await page.keyboard.press(key);
      if (!(await isFocusShown(page))) throw new Error(`the focus is not shown on ${await focused()}`);
    }
    throw new Error(`${key} does not reach ${wanted} in ${most} presses:\n${passed.join("\n")}`);
  };
  const toControl = async (key: "Tab" | "Shift+Tab", role: string, name: string | RegExp, most = MOST) => {
    const control = page.getByRole(role as Role, { name, exact: true });
    await control.first().waitFor({ state: "attached" });
    await walk(key, `${role} ${name}`, (at) => isControl(at, role, name), most);
  };
  const keyboard: Keyboard = {
    focused,
    tabTo: (role, name, most) => toControl("Tab", role, name, most),
    tabBackTo: (role, name) => toControl("Shift+Tab", role, name),
    async unfold(summary) {
      await page.getByText(summary, { exact: true }).waitFor();
      await walk("Tab", summary, (at) => at === `text: ${summary}`, MOST);
      await page.keyboard.press("Enter");
    },
    async activate(role, name, most) {
      await keyboard.tabTo(role, name, most);
      await page.keyboard.press("Enter");
    },
    async fill(role, name, text) {
      await keyboard.tabTo(role, name);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
    },
    async toggle(role, name) {
      await keyboard.tabTo(role, name);
      await page.keyboard.press("Space");
    },
    async choose(name, option) {
      await keyboard.tabTo("combobox", name);
      await page.keyboard.type(option);
      const chosen = await page.evaluate<string>("document.activeElement.selectedOptions[0].label");
      if (!chosen.startsWith(option)) throw new Error(`"${option}" chooses "${chosen}" of ${name}`);
    },
    async chooseFiles(name, files) {
      await keyboard.tabTo("button", name);
      // A press of Enter that is not typed by hand opens it only where another key was pressed just before.
      const [dialog] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Space")]);
      await dialog.setFiles(files);
    },
    async press(key, times = 1) {
      for (let pressed = 0; pressed < times; pressed++) await page.keyboard.press(key);
    },
  };
  return keyboard;
}

async function focusOf(page: Page): Promise<string> {
  const focus = page.locator(":focus");
  if ((await focus.count()) === 0) return "nothing";
  // A page that goes on takes the focused control away between the two questions.
  const snapshot = await focus
    .first()
    .ariaSnapshot({ timeout: 2_000 })
    .catch((error: unknown) => {
      if (error instanceof errors.TimeoutError) return "- nothing";
      throw error;
    });
  const [line = ""] = snapshot.split("\n");
  // Lines are of YAML, which quotes those that hold a colon.
  const [, quoted] = /^- '((?:[^']|'')*)'/.exec(line) ?? [];
  return quoted?.replaceAll("''", "'") ?? line.replace(/^- /, "").replace(/:$/, "");
}

function isControl(focused: string, role: string, name: string | RegExp): boolean {
  const found = /^([\w-]+)(?: "((?:[^"\\]|\\.)*)")?/.exec(focused);
  if (found?.[1] !== role) return false;
  const said = found[2]?.replace(/\\(.)/g, "$1") ?? "";
  return typeof name === "string" ? said === name : name.test(said);
}

/** Whether the control in focus has an outline or a shadow. With none in focus there is none to show. */
function isFocusShown(page: Page): Promise<boolean> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return true;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
  })()`);
}
