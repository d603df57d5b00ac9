/** What the machine must have for these checks, and what it passes on to containers. */
import { accessSync, constants, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { must } from './processes.ts';

/** Programs, and the Debian packages that bring them. */
type Tools = Readonly<Record<string, string>>;

export const SYSTEMD_TOOLS: Tools = {
  mmdebstrap: 'mmdebstrap',
  nsenter: 'util-linux',
  npm: 'npm',
  tar: 'tar',
  git: 'git',
  'systemd-nspawn': 'systemd-container',
};

export const IMAGE_TOOLS: Tools = {
  mmdebstrap: 'mmdebstrap',
  nsenter: 'util-linux',
  unshare: 'util-linux',
  npm: 'npm',
  tar: 'tar',
  buildah: 'buildah',
  runc: 'runc',
  ip: 'iproute2',
};

/** Why this machine cannot run the checks, with what to do about it; null if it can. */
export function obstacle(
  tools: Tools,
  uid: number | undefined,
  has: (program: string) => boolean,
): string | null {
  if (process.platform !== 'linux') return 'containers need Linux';
  if (uid !== 0) return 'containers need root: run `npm run test:install` as root on a machine for tests';
  const missing = Object.keys(tools).filter((program) => !has(program));
  if (missing.length === 0) return null;
  const packages = [...new Set(missing.map((program) => tools[program]))].sort();
  return `not installed: ${missing.join(', ')}. On Debian: apt-get install ${packages.join(' ')}`;
}

/** Whether a program is on PATH. */
export const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((folder) => isExecutable(path.join(folder, program)));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a loopback port is free. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** This machine's npm, and how it reaches its registry. */
export interface Npm {
  readonly version: string;
  /** The lines of an npmrc for containers. They name {@link CERTIFICATES} if the machine has certificates of its own. */
  readonly settings: string;
  /** A file with certificates of authorities, if the machine has some of its own. */
  readonly certificates: string | null;
}

/** Where containers find the certificates of this machine. */
export const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Settings that say how to reach the registry. None of them is secret. */
const REACHING = ['registry', 'proxy', 'https-proxy', 'noproxy', 'strict-ssl'];

export async function machineNpm(): Promise<Npm> {
  const settings = JSON.parse(await must(['npm', 'config', 'list', '--json'])) as Record<string, unknown>;
  const certificates = [settings['cafile'], process.env['NODE_EXTRA_CA_CERTS']].find(
    (file): file is string => typeof file === 'string' && existsSync(file),
  );
  const lines = REACHING.flatMap((key) => {
    const value = settings[key];
    return typeof value === 'string' && value !== '' ? [`${key}=${value}`] : [];
  });
  if (certificates !== undefined) lines.push(`cafile=${CERTIFICATES}`);
  return {
    version: await must(['npm', '--version']),
    settings: lines.map((line) => `${line}\n`).join(''),
    certificates: certificates ?? null,
  };
}
