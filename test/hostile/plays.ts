import type { Play } from "./play.ts";
import { marks, scanned } from "./plays/bodies.ts";
import { disk, waitlist } from "./plays/holds.ts";
import { many, stubborn } from "./plays/lines.ts";
import { batches, deskSecrets, readiness, registrations } from "./plays/sprees.ts";

export const plays: readonly Play[] = [
  marks,
  scanned,
  batches,
  registrations,
  deskSecrets,
  readiness,
  waitlist,
  disk,
  many,
  stubborn,
];
