import type { Play } from "./play.ts";
import { answers } from "./plays/answers.ts";
import { bags } from "./plays/bags.ts";
import { callers } from "./plays/callers.ts";
import { disks } from "./plays/disks.ts";
import { floods } from "./plays/floods.ts";
import { input } from "./plays/input.ts";
import { letters } from "./plays/letters.ts";
import { connections } from "./plays/lines.ts";
import { privacy } from "./plays/privacy.ts";
import { refunds } from "./plays/refunds.ts";

export const plays: readonly Play[] = [
  ...input,
  ...answers,
  ...floods,
  ...bags,
  ...callers,
  ...privacy,
  ...letters,
  ...refunds,
  ...disks,
  ...connections,
];
