import { vi } from "vitest";

// A loaded machine makes a test wait longer than the second that `vi.waitFor` allows. A test that waits in vain fails all
// the same.
const { waitFor } = vi;
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === "number" ? options : { timeout: 60_000, ...options });
