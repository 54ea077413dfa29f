import { z } from "zod";

/**
 * An id or a hash of ours as somebody sends it back: visible ASCII. Whatever else came was never
 * given out, and not every database can even be asked for it.
 */
export const identifier = (max = 80) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => /^[\x21-\x7e]*$/.test(value), { message: "Not an id of this service." });
