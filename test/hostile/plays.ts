import type { Play } from "./play.ts";
import { answers, listens } from "./plays/answers.ts";
import { amplified, inflated, large, marks, scanned } from "./plays/bodies.ts";
import { fullDisk, plug } from "./plays/disks.ts";
import { courtesy, disk, networks, offers, stock, waitlist } from "./plays/holds.ts";
import { many, stubborn } from "./plays/lines.ts";
import { escapes, foreignName, readers, whoBought } from "./plays/looks.ts";
import { refundBooks } from "./plays/refunds.ts";
import { batches, deskSecrets, readiness, registrations } from "./plays/sprees.ts";

export const plays: readonly Play[] = [
  inflated,
  marks,
  large,
  scanned,
  amplified,
  answers,
  batches,
  listens,
  registrations,
  deskSecrets,
  readiness,
  stock,
  courtesy,
  waitlist,
  networks,
  offers,
  disk,
  fullDisk,
  whoBought,
  escapes,
  readers,
  foreignName,
  refundBooks,
  plug,
  many,
  stubborn,
];
