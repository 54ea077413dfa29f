import { KeyRefused } from "./provider.ts";

/**
 * At the start: a key that the provider refuses stops it, because buyers could not pay. A provider
 * that is away does not: orders can be read meanwhile, and /readyz says what is missing.
 */
export async function checkKey(
  check: () => Promise<void>,
  away: (error: unknown) => void = () => {},
): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof KeyRefused) throw error;
    away(error);
  }
}
