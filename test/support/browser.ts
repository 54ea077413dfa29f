import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { ROOM_IN_MEMORY } from "./scratch-folder.ts";

/**
 * A Chromium that comes from npm, with the libraries and fonts it needs, so that page tests run on
 * a machine that has only Node. The package's own arguments are for a cloud function: one process,
 * which dies with the first closed context, and the same-origin rules off, which pages rely on.
 */
export async function launchBrowser(): Promise<Browser> {
  const home = await unpackedChromium();
  const libraries = [join(home, "al2023", "lib"), process.env.LD_LIBRARY_PATH];
  const fonts = existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(home, "fonts") };
  return chromium.launch({
    executablePath: join(home, "chromium"),
    args: ARGUMENTS,
    // Playwright's choice for small containers: what its processes share is written to a disk.
    ignoreDefaultArgs: ROOM_IN_MEMORY ? ["--disable-dev-shm-usage"] : [],
    headless: true,
    env: { ...process.env, ...fonts, LD_LIBRARY_PATH: libraries.filter(Boolean).join(":") },
  });
}

/**
 * Each list stands in place of Playwright's own, of which it keeps what matters here. The network in the browser's
 * process and frames that stay from page to page are a sixth of what a page that is gone to costs.
 */
const ARGUMENTS = [
  "--disable-gpu",
  // Without one there is nothing for a process of its own to do.
  "--in-process-gpu",
  "--font-render-hinting=none",
  "--enable-features=CDPScreenshotNewSurface,NetworkServiceInProcess2",
  "--disable-features=PaintHolding,HttpsUpgrades,OptimizationHints,MediaRouter,RenderDocument",
];

/** Runs with a browser of its own and closes it, whatever happens. */
export async function withBrowser<T>(run: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await launchBrowser();
  try {
    return await run(browser);
  } finally {
    await browser.close();
  }
}

/**
 * By how many px a page is wider than its window. Asked of the window: to find an element, Playwright would
 * read all of its own script anew in every document.
 */
export async function overhang(page: Page): Promise<number> {
  // Just after a click the window may be between two documents, and have neither's elements.
  await page.waitForLoadState("domcontentloaded");
  const over = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  return Math.max(0, await page.evaluate<number>(over));
}

const packageRoot = dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));

/**
 * The package unpacks into the temporary directory and takes whatever is there for complete, so two
 * processes that start at once break each other. Each unpacks for itself and moves the result into
 * place in one step; who comes second throws his away.
 */
async function unpackedChromium(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {
    version: string;
  };
  const cache = join(tmpdir(), `coffee-merchant-chromium-${process.getuid?.() ?? 0}`);
  const home = join(cache, version);
  if (existsSync(home)) return home;
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const staging = await mkdtemp(join(cache, "unpacking-"));
  // The runtime variable makes the package add the shared libraries that a bare system lacks.
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", UNPACK], {
    cwd: packageRoot,
    env: { ...process.env, TMPDIR: staging, AWS_LAMBDA_JS_RUNTIME: "nodejs24.x" },
  });
  await writeFile(join(staging, "fonts", "fonts.conf"), FONTS_CONF);
  await rename(staging, home).catch(async (error: unknown) => {
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  });
  return home;
}

/** The package's own file names fixed directories. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

const UNPACK = `
  const { default: chromium } = await import("@sparticuz/chromium");
  await chromium.executablePath();
`;
