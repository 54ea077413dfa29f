import compression from "compression";
import { isCompressible, WORTH_COMPRESSING_BYTES } from "./representation.ts";

/**
 * Compresses what programs are answered, each answer anew: lists of orders, quotes, tools. Pages whose
 * address is a secret are left as they are, since their length would tell about what is in them.
 */
export const compressedAnswers = compression({
  threshold: WORTH_COMPRESSING_BYTES,
  filter: (_req, res) => isCompressible(String(res.getHeader("content-type") ?? "")),
});
