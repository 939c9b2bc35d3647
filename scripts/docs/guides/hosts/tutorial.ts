/** The tutorial makes all that it uses. */
export const env = {};
