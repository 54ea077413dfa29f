import type { Logger } from "pino";
import { CatalogError } from "../catalog/catalog.ts";
import { isLoopback } from "../core/client-address.ts";
import { MerchantError } from "../core/errors.ts";
import { PaymentModeError } from "../merchant/setup.ts";
import { KeyRefused } from "../payments/provider.ts";
import { KEY_PERMISSIONS } from "../payments/stripe/permissions.ts";
import { applying, type Config, ConfigError, readConfig } from "./config.ts";
import { createLog } from "./log.ts";

/**
 * Starts as this process's environment says, by the shop's own clock, and logs what of it is seldom
 * meant. Answers the exit code; what is wrong with the start is told, and ends the process.
 */
export async function startWith(
  env: NodeJS.ProcessEnv,
  run: (config: Config, log: Logger) => Promise<void>,
): Promise<number> {
  try {
    const config = readConfig(env);
    env.TZ = config.timeZone;
    const log = createLog(config.logLevel);
    for (const warning of startWarnings(config)) log.warn(warning);
    await run(config, log);
    return 0;
  } catch (error) {
    process.stderr.write(`${startProblem(error)}\n`);
    process.exit(1);
  }
}

/** Why a start failed, for its operator: our own refusals plainly, anything else with its stack. */
export function startProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const told = [ConfigError, CatalogError, PaymentModeError].some((kind) => error instanceof kind);
  if (told) return error.message;
  if (error instanceof KeyRefused) {
    return `${error.message} STRIPE_SECRET_KEY needs these permissions: ${KEY_PERMISSIONS}.`;
  }
  if (error instanceof MerchantError && error.code === "STORE_UNAVAILABLE") {
    const why = error.cause instanceof Error ? `: ${error.cause.message}` : "";
    return `The database cannot be opened${why}. DATABASE_URL says where it is.`;
  }
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE") {
    return `Port ${port} is taken. Set PORT to a free one, or stop what is using it.`;
  }
  if (syscall === "listen") return `HOST and PORT cannot be listened on: ${error.message}.`;
  return error.stack ?? error.message;
}

/** What is allowed and yet seldom meant, said where the service starts. */
export function startWarnings(config: Config): string[] {
  const { payments, production, baseUrl } = config;
  return applying([
    [!config.rateLimits, "RATE_LIMITS=off: nothing limits callers. For load tests only."],
    [
      production && payments.mode === "test",
      "NODE_ENV=production with a TEST key: buyers pay nothing, and every order here is play. Set a " +
        "live STRIPE_SECRET_KEY, on a database of its own.",
    ],
    [
      payments.mode === "live" && config.supportEmail === undefined,
      "SUPPORT_EMAIL is not set: buyers without an agent cannot write to the shop.",
    ],
    [
      payments.provider === "sandbox" && payments.secretKey !== "",
      "STRIPE_SECRET_KEY is set and not used: with PAYMENT_PROVIDER=sandbox no money moves.",
    ],
    [
      payments.provider === "sandbox" && payments.allowPublicSandbox && config.public,
      "ALLOW_PUBLIC_SANDBOX=on: others reach this shop, and no money moves in it.",
    ],
    [
      config.public && baseUrl.startsWith("http:"),
      "Others reach this service over http: keys, addresses and the desk's secret travel in clear. " +
        "Put https in front and set BASE_URL.",
    ],
    [
      config.public && !config.baseUrlIsSet && isLoopback(new URL(baseUrl).hostname),
      `BASE_URL is not set: every link leads to ${baseUrl}, which only this machine can open.`,
    ],
  ]);
}
