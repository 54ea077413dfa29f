/** The files of deploy/ match the program: its settings, its health check, its package. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/app/config.ts";
import { CHILD_ENV, COMMAND, ROOT } from "../support/command.ts";
import { freePort } from "../support/loopback.ts";
import { startProcess } from "../support/process.ts";
import { scratchFolder } from "../support/scratch-folder.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const manifest = JSON.parse(read("package.json"));
const dockerfile = read("deploy/Dockerfile");

/** Settings in the image's ENV lines. */
const imageEnv = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, pairs = ""]) =>
    pairs.split(" ").map((pair) => pair.split(/=(.*)/s, 2) as [string, string]),
  ),
);

describe("the image", () => {
  test("refuses a public start with play money, unless it is allowed", () => {
    expect(() => readConfig(imageEnv)).toThrow(/ALLOW_PUBLIC_SANDBOX/);
    const config = readConfig({ ...imageEnv, ALLOW_PUBLIC_SANDBOX: "on" });
    expect(config).toMatchObject({ host: "0.0.0.0", production: true });
    expect(dockerfile).toMatch(/^VOLUME \/data$/m);
    expect(config.databaseUrl).toMatch(/^sqlite:\/data\//);
  });

  test("runs the package's command, and not as root", () => {
    expect(dockerfile.indexOf("USER node")).toBeGreaterThan(0);
    const [command] = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(dockerfile)![1]!);
    expect(Object.keys(manifest.bin)).toContain(command);
  });

  test("installs the versions of the lock file", () => {
    const { packages } = JSON.parse(read("package-lock.json"));
    const locked = Object.keys(manifest.dependencies).map((name) => {
      return [name, packages[`node_modules/${name}`].version];
    });
    expect(manifest.dependencies).toEqual(Object.fromEntries(locked));
  });

  test("reports readiness by its health check", async () => {
    const [node, ...words] = JSON.parse(/^HEALTHCHECK .*?CMD (\[.+\])$/m.exec(dockerfile)![1]!);
    expect(node).toBe("node");
    const PORT = await freePort();
    const check = () =>
      promisify(execFile)(process.execPath, words, { env: { ...process.env, PORT } });
    await expect(check()).rejects.toMatchObject({ code: 1 });
    const service = await startProcess({ PORT, DATABASE_URL: "sqlite::memory:" });
    try {
      await check();
    } finally {
      await service.end("SIGTERM");
    }
  });
});

test("both instances of the compose file have valid settings and matching names", () => {
  const { services } = parse(read("deploy/compose.yaml"), { merge: true });
  for (const name of ["merchant-1", "merchant-2"]) {
    const { environment } = services[name];
    const config = readConfig({ ...imageEnv, ...environment });
    // The same text for both: in DATABASE_URL a # would have to be written %23.
    expect(environment.PGPASSWORD).toBe(services.database.environment.POSTGRES_PASSWORD);
    expect(config.databaseUrl).not.toContain("$");
    expect(config).toMatchObject({ trustProxy: 1, baseUrl: "http://localhost:8080" });
    // docs/operate.md states how long a stop takes. Docker must not kill it earlier.
    const grace = Number.parseInt(services[name].stop_grace_period, 10);
    expect(grace).toBeGreaterThan(config.drainMs / 1000 + 10);
    expect(new URL(config.databaseUrl).hostname).toBe("database");
    expect(read("deploy/nginx.conf")).toContain(`server ${name}:${imageEnv.PORT} `);
  }
  expect(Object.keys(services).sort()).toEqual(
    ["balancer", "database", "merchant-1", "merchant-2"].sort(),
  );
});

test("server.json and the guide name this package and version, within the registry's limits", () => {
  const packed = read("docs/operate.md").matchAll(/coffee-merchant-(\d\S*?)\.tgz/g);
  expect([...new Set([...packed].map(([, version]) => version))]).toEqual([manifest.version]);
  const server = JSON.parse(read("deploy/server.json"));
  expect(server.name).toBe(manifest.mcpName);
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.description.length).toBeLessThanOrEqual(100);
  expect(server.version).toBe(manifest.version);
  for (const { identifier, version, environmentVariables } of server.packages) {
    expect({ identifier, version }).toEqual({
      identifier: manifest.name,
      version: manifest.version,
    });
    const settings = read("docs/operate.md");
    for (const { name } of environmentVariables) expect(settings).toContain(`\`${name}\``);
  }
});

const run = promisify(execFile);

describe("the alerts", () => {
  const { groups } = parse(read("deploy/alerts.yml"));
  const rules: { alert: string; expr: string; annotations: { summary: string } }[] = groups.flatMap(
    (group: { rules: object[] }) => group.rules,
  );

  test("tell a person what to do, of instances that do not answer too", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    expect(rules.every(({ annotations }) => annotations.summary.length > 10)).toBe(true);
    expect(rules.map(({ expr }) => expr)).toContain('up{job="coffee-merchant"} == 0');
  });
});

describe("the units", () => {
  test("restart the service for as long as it takes, and give it no more than it needs", () => {
    const unit = read("deploy/coffee-merchant.service");
    for (const line of ["Restart=always", "RestartSec=2", "StartLimitIntervalSec=0"]) {
      expect(unit).toContain(line);
    }
    for (const line of ["NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet="]) {
      expect(unit).toContain(line);
    }
  });

  test("back up, restore a copy, and hand the file on", async () => {
    const folder = await scratchFolder("backup");
    const script = async (name: string, text: string) => {
      const path = join(folder, name);
      await writeFile(path, `#!/bin/sh\n${text}\n`);
      await chmod(path, 0o755);
      return path;
    };
    await script("coffee-merchant", `exec "${process.execPath}" "${join(ROOT, COMMAND)}" "$@"`);
    const BACKUP_COPY = await script("copy", `cp "$1" "${folder}/elsewhere.db"`);
    const DATABASE_URL = `sqlite:${join(folder, "merchant.db")}`;
    const env = {
      ...CHILD_ENV,
      PATH: `${folder}:${process.env.PATH}`,
      BACKUP_COPY,
      DATABASE_URL,
    };
    const own = { ...env, BACKUP_DIR: join(folder, "backups"), LOG_LEVEL: "silent" };
    const { stdout } = await run("sh", [join(ROOT, "deploy/backup.sh")], { env: own });
    expect(stdout).toContain("backed up and restored");
    expect(await readdir(own.BACKUP_DIR)).toHaveLength(1);
    expect(await readdir(folder)).toContain("elsewhere.db");
  });
});
