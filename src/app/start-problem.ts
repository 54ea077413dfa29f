import { CatalogError } from "../catalog/catalog.ts";
import { MerchantError } from "../core/errors.ts";
import { PaymentModeError } from "../merchant/setup.ts";
import { KeyRefused } from "../payments/provider.ts";
import { KEY_PERMISSIONS } from "../payments/stripe/permissions.ts";
import { ConfigError } from "./config.ts";

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
