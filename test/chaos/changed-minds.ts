import { CARDS, insist, type Outcome, press, type World } from "./people.ts";
import type { Purchase } from "./plan.ts";

/** Buyers who change the quantity, cancel a page or leave it. */

async function paid(world: World, session: string | null): Promise<boolean> {
  const result = session === null ? null : await world.sandbox.buyer.pay(session, CARDS.pays);
  return result?.outcome === "paid" || result?.outcome === "already_paid";
}

const outcome = (done: boolean): Outcome => (done ? "paid" : "not paid");

/** The newer press replaces the older page, which some buyers pay all the same, before or after it. */
export async function changeMind(
  world: World,
  { number }: Purchase,
  reviewUrl: string,
  other: () => Promise<string | null>,
): Promise<Outcome> {
  const older = await press(world, reviewUrl);
  const otherUrl = await other();
  if (otherUrl === null) return outcome(await paid(world, older));
  const early = number % 3 === 0 && (await paid(world, older));
  const newer = await press(world, otherUrl);
  const both = [await paid(world, newer), number % 3 === 1 && (await paid(world, older))];
  return outcome(early || both.some(Boolean));
}

export async function cancel(
  world: World,
  { number }: Purchase,
  reviewUrl: string,
): Promise<Outcome> {
  const session = await press(world, reviewUrl);
  const page = session === null ? null : await world.sandbox.buyer.view(session);
  if (page) await insist(world, page.cancelUrl, { method: "GET" });
  // The page may still be open if the provider could not be reached to close it.
  if (number % 2 === 0 && (await paid(world, session))) return "paid";
  if (number % 4 === 3) return "not paid";
  return outcome(await paid(world, await press(world, reviewUrl)));
}

export async function comeBack(world: World, reviewUrl: string): Promise<Outcome> {
  const session = await press(world, reviewUrl);
  await world.later();
  if (await paid(world, session)) return "paid";
  return outcome(await paid(world, await press(world, reviewUrl)));
}
