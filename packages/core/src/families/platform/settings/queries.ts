import { optionsOf } from "#families/options.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { PLATFORM_TENANT, STATE_LIFETIME } from "../tenants/fields.js";
import { isDeclared, SETTINGS, type SettingKey, type SettingValue, settingFault } from "./fields.js";
import { platformSettings } from "./schema.js";

const READ_AT_ONCE = 1_000;

/**
 * The settings in force: options, overridden by stored values. The stored values are cached for at most five seconds.
 */
class Settings {
  #stored: ReadonlyMap<string, unknown> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #changes = 0;
  #reading: Promise<void> | undefined;

  constructor(readonly env: Environment) {
    env.onBroadcast([platformSettings], () => {
      this.#readAt = Number.NEGATIVE_INFINITY;
      this.#changes += 1;
    });
  }

  /** The stored values of the last read. Each read makes a new object, so callers may cache by identity. */
  get snapshot(): ReadonlyMap<string, unknown> {
    return this.#stored;
  }

  get<K extends SettingKey>(key: K): SettingValue<K> {
    const value = this.#stored.has(key) ? this.#stored.get(key) : SETTINGS[key].byDefault(optionsOf(this.env));
    return value as SettingValue<K>;
  }

  /**
   * Reads the stored values again when they are too old. `undefined` when they are fresh. When the read fails, the last
   * ones stay.
   */
  fresh(): Promise<void> | undefined {
    if (this.env.clock.now() - this.#readAt < STATE_LIFETIME) return undefined;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const readAt = this.env.clock.now();
    const seen = this.#changes;
    try {
      const rows = await this.env.store.forTenant(PLATFORM_TENANT).scan(platformSettings, { size: READ_AT_ONCE });
      this.#stored = new Map(rows.map(({ id, value }) => [id, value.value] as const).filter((row) => this.#sound(row)));
      // Unless nothing was committed during the read, it may have missed a change.
      if (seen === this.#changes) this.#readAt = readAt;
    } catch (error) {
      this.env.logger.warn({ error: String(error) }, "settings cannot be read; the last known ones stay in force");
    }
  }

  /** A stored value that is not valid in this release is replaced by the default. */
  #sound([key, value]: readonly [string, unknown]): boolean {
    if (!isDeclared(key)) return true;
    const fault = settingFault(key, value);
    if (fault !== undefined) this.env.logger.warn({ setting: key, fault }, "a stored setting is not usable");
    return fault === undefined;
  }
}

export const settings = defineService("platform.settings", (env) => new Settings(env));
