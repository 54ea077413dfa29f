/** What is built answers as its sources do: bundling and shrinking change no text and no pattern. */
import { expect, onTestFinished, test } from "vitest";
import { SHIPPED_CATALOG_FILE } from "../support/catalog.ts";
import { freePort } from "../support/loopback.ts";
import { startProcess } from "../support/process.ts";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { scratchFile } from "../support/stores.ts";

/** Each read by a pattern of its own: words apart from each other, marks, letters beyond ASCII. */
const QUESTIONS = [
  "How long does delivery take?",
  "How does the waitlist work?",
  "Why is the Geisha locked?",
  "do you accept credit cards",
  "does FIRSTBAG work with the $100 off?",
  "how much caffeine is in the Guji?",
  "Versendet ihr in die Schweiz?",
  "¿Hacen envíos a México?",
  "Quel café est le plus fruité ?",
  "Which coffee is good with milk, and what do 3 bags of it cost?",
];

test("the build answers questions word for word as the sources do", async () => {
  const settings = { CATALOG_FILE: SHIPPED_CATALOG_FILE, RATE_LIMITS: "off" };
  const place = { PORT: await freePort(), DATABASE_URL: `sqlite:${await scratchFile()}` };
  const built = await startProcess({ ...settings, ...place });
  onTestFinished(async () => void (await built.end("SIGTERM")));
  const sources = await startService(settings);
  onTestFinished(sources.stop);
  for (const question of QUESTIONS) {
    const path = `/v1/ask?q=${encodeURIComponent(question)}`;
    const [ours, theirs] = [await send(sources.baseUrl, path), await send(built.baseUrl, path)];
    expect(theirs.body, question).toEqual(ours.body);
  }
});
