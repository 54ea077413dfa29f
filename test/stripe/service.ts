import { startService, testClock } from "../support/service.ts";
import { type Emulator, emulatorProvider, startEmulator } from "./emulator.ts";
import { type HttpFaults, newHttpFaults } from "./faults.ts";

/** Serves like `startService`, with the Stripe adapter and an emulator that sends it signed webhooks. */
export async function startStripeService(
  env: Record<string, string> = {},
  clock = testClock(),
  options: Parameters<typeof startService>[2] = {},
) {
  const faults: HttpFaults = newHttpFaults();
  let emulator: Emulator | undefined;
  const served = await startService(env, clock, {
    ...options,
    async openPayments({ baseUrl }) {
      emulator = await startEmulator({
        ...{ baseUrl, webhookUrl: `${baseUrl}/webhooks/stripe`, webhookSecret: "whsec_test" },
        ...{ clock: clock.now, interference: faults },
      });
      const provider = emulatorProvider(emulator);
      return { provider, sandbox: { ...emulator, provider } };
    },
  });
  const stop = async () => {
    await served.stop();
    await emulator?.close();
  };
  return { ...served, stop, faults, emulator: emulator! };
}
