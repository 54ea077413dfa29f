import type { Play } from "./play.ts";
import { amplified, inflated, large, marks, scanned } from "./plays/bodies.ts";
import { courtesy, disk, stock, waitlist } from "./plays/holds.ts";
import { many, stubborn } from "./plays/lines.ts";
import { escapes, foreignName, readers, whoBought } from "./plays/looks.ts";
import { batches, deskSecrets, readiness, registrations } from "./plays/sprees.ts";

export const plays: readonly Play[] = [
  inflated,
  marks,
  large,
  scanned,
  amplified,
  batches,
  registrations,
  deskSecrets,
  readiness,
  stock,
  courtesy,
  waitlist,
  disk,
  whoBought,
  escapes,
  readers,
  foreignName,
  many,
  stubborn,
];
