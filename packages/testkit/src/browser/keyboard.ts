import { errors, type Page } from "playwright-core";

type Role = Parameters<Page["getByRole"]>[0];

/** A person without a mouse. */
export interface Keyboard {
  /**
   * Waits for the control of this role and accessible name, and presses Tab until it has the focus. Throws after `most` presses
   * (default 80), with the names of the controls on the way, and when a control on the way does not show that it has the focus.
   */
  tabTo(role: string, name: string | RegExp, most?: number): Promise<void>;
  /** Tabs to a control and presses Enter. */
  activate(role: string, name: string | RegExp, most?: number): Promise<void>;
  /** Tabs to a field, and types in place of what it holds. */
  fill(role: string, name: string | RegExp, text: string): Promise<void>;
  press(key: string, times?: number): Promise<void>;
  /** Role and accessible name of the control that has the focus, as in `button "Save"`. */
  focused(): Promise<string>;
}

/** Does everything by keys alone. */
export function byKeyboard(page: Page): Keyboard {
  const focused = () => focusOf(page);
  const keyboard: Keyboard = {
    focused,
    async tabTo(role, name, most = 80) {
      const passed: string[] = [];
      await page
        .getByRole(role as Role, { name, exact: true })
        .first()
        .waitFor({ state: "attached" });
      for (let presses = 0; presses <= most; presses++) {
        const at = await focused();
        if (isControl(at, role, name)) return;
        passed.push(at);
        await page.keyboard.press("Tab");
        if (!(await isFocusShown(page))) throw new Error(`the focus is not shown on ${await focused()}`);
      }
      throw new Error(`Tab does not reach ${role} ${name} in ${most} presses:\n${passed.join("\n")}`);
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
