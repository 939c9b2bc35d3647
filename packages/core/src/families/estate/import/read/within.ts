import { ReeveError } from "#kernel/http/errors.js";

/** Prefixes the pointers of errors of `work` with `pointer`. */
export async function within<T>(pointer: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!ReeveError.is(error) || error.errors.length === 0) throw error;
    const { code, detail, members, headers, cause } = error;
    const errors = error.errors.map((each) =>
      each.pointer === undefined ? each : { ...each, pointer: `${pointer}${each.pointer}` },
    );
    throw new ReeveError(code, detail, { errors, members, headers, cause });
  }
}
