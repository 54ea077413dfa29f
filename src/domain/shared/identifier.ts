import { exact } from "./fields.ts";

/**
 * An id or a hash of ours as somebody sends it back: visible ASCII. Whatever else came was never
 * given out, and not every database can even be asked for it.
 */
export const identifier = (max = 80, what = "The id") =>
  exact(what, max, /^[\x21-\x7e]*$/, "Not an id of this service.");
