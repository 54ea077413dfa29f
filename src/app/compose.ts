import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { createLimits } from "../agents/limits.ts";
import type { Service } from "../api/perform.ts";
import { loadCatalog } from "../catalog/catalog.ts";
import { type LiveCatalog, madeFrom, openCatalog } from "../catalog/live-catalog.ts";
import { derivedKey, newNonce } from "../core/ids.ts";
import type { Mailer } from "../core/letter.ts";
import { openStore as openDatabase, parseDatabaseUrl } from "../db/database-url.ts";
import type { Store } from "../db/store.ts";
import type { Installation } from "../merchant/installation.ts";
import { prepareDatabase } from "../merchant/installation.ts";
import { createMerchant } from "../merchant/merchant.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import { openSandbox, type Sandbox, type SandboxOptions } from "../payments/sandbox/sandbox.ts";
import { checkKey } from "../payments/stripe/permissions.ts";
import { stripeProvider } from "../payments/stripe/stripe.ts";
import { addressesIn } from "./address-ranges.ts";
import { type Config, ConfigError } from "./config.ts";
import { proofOf } from "./health.ts";
import { type Observation, observeProvider, observer } from "./observation.ts";

export interface OpenService {
  service: Service;
  store: Store;
  provider: PaymentProvider;
  sandbox: Sandbox | null;
  installation: Installation;
  /** Undefined without a configured mail server. */
  mailer: Mailer | undefined;
  close(): Promise<void>;
}

export interface OpenOptions {
  log: Logger;
  /** Links lead to this process. Otherwise they lead to the running service, unless BASE_URL is set. */
  serving?: boolean;
  clock?: () => number;
  checkAnswers?: boolean;
  /** Replaces the configured database by an open one, for tests. */
  store?: Store;
  /** Replaces the configured provider, for tests. */
  openPayments?: typeof openPayments;
  /** Commands per commit, for benchmarks. */
  batch?: number;
  /** Metrics and traces. */
  watching?: Observation;
}

/** Opens everything the verbs need: database, catalog, provider, limits. Closes it again after an error. */
export async function openService(set: Config, options: OpenOptions): Promise<OpenService> {
  const { log, clock = Date.now } = options;
  const file = loadCatalog(set.catalogFile ?? CATALOG_FILE);
  const { mode } = set.payments;
  const store = options.store ?? (await openStore(inExistingFolder(set), options));
  const closers = [() => store.close()];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const servedAt = options.serving ? set.baseUrl : undefined;
    const installation = await prepareDatabase(store, () => file, { mode, now: clock(), servedAt });
    const baseUrl = set.baseUrlIsSet ? set.baseUrl : (installation.servedAt ?? set.baseUrl);
    const config = { ...set, baseUrl };
    const catalog = await openCatalog(store);
    const open = options.openPayments ?? openPayments;
    const nudge: Payments["nudge"] = (event) =>
      merchant.webhooks.take(event).catch((error: unknown) => {
        log.warn({ type: event.type, error }, "the sandbox did not reach the shop");
      });
    const own = { installation, store, clock, log, nudge };
    const { provider: bare, sandbox } = await open(config, own);
    const watch = observer(log, options.watching);
    const provider = observeProvider(bare, watch);
    if (sandbox) closers.push(() => sandbox.idle());
    const { secret } = installation;
    const mailer = await openMailer(config.mail);
    if (mailer) closers.push(async () => mailer.close());
    const unwatched = createLimits(config.rateLimits, {
      clock,
      isPlatform: addressesIn(config.platformAddresses),
    });
    const limits = options.watching?.limits?.(unwatched) ?? unwatched;
    const shop = shopOf(catalog, set);
    const merchant = createMerchant({
      ...config,
      ...{ store, catalog, provider, clock, log, watch, secret, mailer },
      get shop() {
        return shop();
      },
      get supportEmail() {
        return shop().contact_email ?? undefined;
      },
      get privacyUrl() {
        return shop().privacy_url ?? undefined;
      },
      get termsUrl() {
        return shop().terms_url ?? undefined;
      },
    });
    const checkAnswers = options.checkAnswers ?? false;
    const stateKey = derivedKey(secret, "mcp request state");
    const service = {
      merchant,
      limits,
      log,
      clock,
      stateKey,
      checkAnswers,
      watch: options.watching?.watch,
    };
    options.watching?.addGauges?.(store, merchant);
    return { service, store, provider, sandbox, installation, mailer, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The current settings of the owner. The environment fills in what they leave out. */
const shopOf = (catalog: LiveCatalog, set: Config) =>
  madeFrom(catalog, () => {
    const { shop } = catalog;
    return {
      ...shop,
      contact_email: shop.contact_email ?? set.supportEmail ?? null,
      privacy_url: shop.privacy_url ?? set.privacyUrl ?? null,
      terms_url: shop.terms_url ?? set.termsUrl ?? null,
    };
  });

const CATALOG_FILE = fileURLToPath(new URL("../../resources/catalog.json", import.meta.url));

/** A missing folder is more likely a typo than a place for a new shop. */
function inExistingFolder({ databaseUrl, dataFolder }: Config): string {
  const database = parseDatabaseUrl(databaseUrl);
  if (database.engine === "postgres" || database.file === ":memory:") return databaseUrl;
  const folder = dirname(resolve(database.file));
  if (existsSync(folder) || folder === resolve(dataFolder)) return databaseUrl;
  throw new ConfigError(
    `DATABASE_URL: there is no folder ${folder}. Create it, or correct the path.`,
  );
}

export async function openStore(
  databaseUrl: string,
  { batch, log }: { batch?: number; log?: Logger } = {},
): Promise<Store> {
  const store = await openDatabase(databaseUrl, { batch, log: (message) => log?.warn(message) });
  if (store.migratedByNewerVersion) {
    log?.warn("a newer version has migrated this database; this version still runs on it");
  }
  return store;
}

/** Loaded only with a configured mail server. */
async function openMailer(mail: Config["mail"]): Promise<Mailer | undefined> {
  if (!mail) return undefined;
  const { smtpMailer } = await import("../mail/smtp.ts");
  return smtpMailer(mail);
}

interface Payments
  extends Pick<OpenService, "installation" | "store">,
    Pick<SandboxOptions, "clock" | "nudge"> {
  log: Logger;
}

/** The configured payment provider. */
export async function openPayments(
  { payments, baseUrl }: Config,
  { installation, store, clock, log, nudge }: Payments,
): Promise<Pick<OpenService, "provider" | "sandbox">> {
  if (payments.provider === "stripe") {
    const mode = payments.mode === "live" ? "live" : "test";
    const provider = stripeProvider({ ...payments, mode, clock });
    await checkKey(provider.checkKey, (message, error) => log.warn({ error }, message));
    return { provider, sandbox: null };
  }
  const { paymentMethods } = payments;
  const sandbox = openSandbox({
    store,
    secret: installation.sandboxSecret,
    ...{ baseUrl, clock, paymentMethods, nudge },
  });
  return { provider: sandbox.provider, sandbox };
}

interface RunningInstance {
  /** It serves the pages beside MCP on stdio, until its client exits. */
  endsWithClient: boolean;
}

/**
 * Asks for this installation's service at an address. Null if another one or none answers. With the secret,
 * it must prove that it knows it, too: the id is public.
 */
export async function answersAt(
  baseUrl: string,
  { id, secret }: { id: string; secret?: Buffer },
): Promise<RunningInstance | null> {
  try {
    const challenge = newNonce();
    const signal = AbortSignal.timeout(2000);
    const answer = await fetch(`${baseUrl}/healthz?challenge=${challenge}`, { signal });
    const health = (await answer.json()) as Record<string, unknown>;
    const known = health.service === "coffee-merchant" && health.installation === id;
    const ours = known && (!secret || health.proof === proofOf(secret, challenge));
    return ours ? { endsWithClient: health.ends_with_client === true } : null;
  } catch {
    return null;
  }
}
