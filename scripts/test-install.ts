/**
 * `npm run test:install`: follows the installation guide (docs/reference/deployment.md) word by word, as root:
 *
 * - `systemd`: the guide's commands in a Debian that systemd has booted in a container; then everything that the guide
 *   promises about the unit, with a simulated exchange that tells which orders are open;
 * - `image`: the Dockerfile, built on a base image made here, and run as the guide says, read-only and without privileges.
 *
 * Prints one line a check, and exits with 1 if one fails, or with 69 if the machine cannot run them.
 *
 * Usage: node scripts/test-install.ts [systemd] [image]      (default: both)
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Checks } from './install/checks.ts';
import { Cleanup } from './install/cleanup.ts';
import { shellBlocks } from './install/guide.ts';
import { IMAGE_TOOLS, isInstalled, machineNpm, obstacle, SYSTEMD_TOOLS } from './install/host.ts';
import { tryImage } from './install/image-checks.ts';
import { type Installation, trySystemd } from './install/systemd-checks.ts';

const PARTS = {
  systemd: { title: 'systemd', tools: SYSTEMD_TOOLS, attempt: trySystemd },
  image: { title: 'container image', tools: IMAGE_TOOLS, attempt: tryImage },
};

type Part = keyof typeof PARTS;

const GUIDE = new URL('../docs/reference/deployment.md', import.meta.url);
const UNAVAILABLE = 69;
const WRONG_USAGE = 2;

const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);

async function tryParts(parts: readonly Part[], cleanup: Cleanup): Promise<Checks> {
  const checks = new Checks(() => cleanup.isInterrupted);
  const blocks = shellBlocks(readFileSync(GUIDE, 'utf8'));
  const npm = await machineNpm();
  for (const part of parts) {
    const folder = mkdtempSync(path.join(tmpdir(), `touchline-${part}-`));
    cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
    const installation: Installation = { checks, cleanup, folder, blocks, npm };
    await checks.part(PARTS[part].title, () => PARTS[part].attempt(installation));
    await cleanup.run();
  }
  return checks;
}

/** Returns the exit code. */
async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !isPart(name));
  if (unknown.length > 0) {
    console.error(`no such part: ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
    return WRONG_USAGE;
  }
  const parts = names.length === 0 ? (Object.keys(PARTS) as Part[]) : names.filter(isPart);
  const tools = Object.assign({}, ...parts.map((part) => PARTS[part].tools)) as typeof SYSTEMD_TOOLS;
  const why = obstacle(tools, process.getuid?.(), isInstalled);
  if (why !== null) {
    console.error(`the installation cannot be tried here: ${why}`);
    return UNAVAILABLE;
  }
  const cleanup = new Cleanup();
  cleanup.onSignals();
  try {
    const checks = await tryParts(parts, cleanup);
    console.log(`\n${checks.summary}`);
    return checks.failed === 0 ? 0 : 1;
  } finally {
    await cleanup.run();
  }
}

process.exitCode = await main(process.argv.slice(2));
