import type { Logger } from "pino";
import { CatalogError } from "../catalog/catalog.ts";
import { MerchantError } from "../core/errors.ts";
import { isLoopback } from "../core/network.ts";
import { PaymentModeError } from "../merchant/installation.ts";
import { KeyRefused } from "../payments/provider.ts";
import { KEY_PERMISSIONS } from "../payments/stripe/permissions.ts";
import { applicable, type Config, ConfigError, readConfig, unknownSettings } from "./config.ts";
import { createLog } from "./log.ts";

/**
 * Runs with the configuration of this environment, in the shop's time zone, and logs warnings about it.
 * Returns the exit code. An error ends the process after one message on stderr.
 */
export async function startWith(
  env: NodeJS.ProcessEnv,
  run: (config: Config, log: Logger) => Promise<void>,
): Promise<number> {
  try {
    const config = readConfig(env);
    env.TZ = config.timeZone;
    const log = createLog(config.logLevel);
    for (const warning of [...startWarnings(config), ...unknownSettings(env)]) log.warn(warning);
    await run(config, log);
    return 0;
  } catch (error) {
    process.stderr.write(`${startProblem(error)}\n`);
    process.exit(1);
  }
}

/** Explains to the operator why a start failed. Unexpected errors keep their stack. */
export function startProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExplained = [ConfigError, CatalogError, PaymentModeError].some(
    (kind) => error instanceof kind,
  );
  if (isExplained) return error.message;
  if (error instanceof KeyRefused) {
    return `${error.message} STRIPE_SECRET_KEY needs these permissions: ${KEY_PERMISSIONS}.`;
  }
  if (error instanceof MerchantError && error.code === "STORE_UNAVAILABLE") {
    const cause: NodeJS.ErrnoException | undefined =
      error.cause instanceof Error ? error.cause : undefined;
    if (["EACCES", "EPERM", "EROFS"].includes(cause?.code ?? "")) {
      return (
        `The database cannot be opened: this user can't write to ${cause?.path}. ` +
        "Set DATABASE_URL=sqlite:FILE to a file in a folder of this user."
      );
    }
    const why = cause ? `: ${cause.message}` : "";
    return `The database cannot be opened${why}. Check DATABASE_URL.`;
  }
  const { code, syscall, port, hostname } = error as NodeJS.ErrnoException & {
    port?: number;
    hostname?: string;
  };
  if (code === "EADDRINUSE") {
    return `Port ${port} is in use. Set PORT to another one, or stop the process that uses it.`;
  }
  if (syscall === "getaddrinfo") {
    return `HOST "${hostname}" is not an address or name of this machine. Use 0.0.0.0 for all addresses.`;
  }
  if (syscall === "listen") return `Cannot listen on HOST and PORT: ${error.message}.`;
  return error.stack ?? error.message;
}

/** Warnings about settings that are allowed but rarely intended. */
export function startWarnings(config: Config): string[] {
  const { payments, production, baseUrl } = config;
  return applicable([
    [!config.rateLimits, "RATE_LIMITS=off: callers are not limited. Use it for load tests only."],
    [
      production && payments.mode === "test",
      "NODE_ENV=production with a Stripe test key: no money moves, and no order is real. Set a " +
        "live STRIPE_SECRET_KEY and a new DATABASE_URL.",
    ],
    [
      payments.mode === "live" && config.supportEmail === undefined,
      "SUPPORT_EMAIL is not set: without a contact at the desk, buyers can write only by the contact form.",
    ],
    [
      payments.provider === "sandbox" && payments.secretKey !== "",
      "STRIPE_SECRET_KEY is set but not used: PAYMENT_PROVIDER=sandbox takes play money.",
    ],
    [
      payments.provider === "sandbox" && payments.allowPublicSandbox && config.public,
      "ALLOW_PUBLIC_SANDBOX=on: this shop is public and takes play money.",
    ],
    [
      config.public && baseUrl.startsWith("http:"),
      "This service is public over http, which exposes keys, addresses and the desk's secret. " +
        "Put https in front and set BASE_URL.",
    ],
    [
      config.public && !config.baseUrlIsSet && isLoopback(new URL(baseUrl).hostname),
      `BASE_URL is not set: every link leads to ${baseUrl}, which only this machine can open.`,
    ],
  ]);
}
