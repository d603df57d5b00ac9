/** The root folders that containers begin with: Debian, the Node of this clone and the npm of this machine. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { CERTIFICATES, type Npm } from './host.ts';
import { must } from './processes.ts';

const SUITE = 'bookworm';
const DEBOOTSTRAP_MS = 900_000;

const cacheFolder = (): string =>
  path.join(process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'), 'touchline-install');

/**
 * Unpacks Debian with some additional packages into a folder. The archive is made once and kept in the user's cache, under a
 * name that depends on everything that it is made of.
 */
export async function unpackDebian(folder: string, packages: readonly string[]): Promise<string> {
  const command = ['mmdebstrap', '--quiet', '--variant=minbase', '--skip=output/dev'];
  if (packages.length > 0) command.push(`--include=${packages.join(',')}`);
  command.push(SUITE);
  const key = createHash('sha256').update(command.join(' ')).digest('hex').slice(0, 12);
  const archive = path.join(cacheFolder(), `debian-${key}.tar`);
  const isKept = existsSync(archive);
  if (!isKept) {
    mkdirSync(path.dirname(archive), { recursive: true });
    // The name must still end in .tar, which tells mmdebstrap the format.
    const unfinished = `${archive}.${process.pid}.tar`;
    try {
      await must([...command, unfinished], { timeoutMs: DEBOOTSTRAP_MS });
      renameSync(unfinished, archive);
    } finally {
      rmSync(unfinished, { force: true });
    }
  }
  mkdirSync(folder, { recursive: true });
  await must(['tar', '--extract', '--numeric-owner', '--file', archive, '--directory', folder]);
  return isKept ? `kept in ${archive}` : `made and kept in ${archive}`;
}

/** Adds Node and npm where Node's own images have them. npm comes from the registry, in the version of this machine. */
export async function addNode(root: string, npm: Npm): Promise<void> {
  const local = path.join(root, 'usr/local');
  cpSync(process.execPath, path.join(local, 'bin/node'), { dereference: true });
  await must(['npm', 'install', '--global', '--prefix', local, `npm@${npm.version}`]);
}

/** Where root's npm finds its settings, whatever its prefix is. */
export const NPM_SETTINGS = '/root/.npmrc';

/** Tells the npm of a container how to reach the registry from this machine. */
export function addNpmSettings(root: string, npm: Npm): void {
  writeFileSync(path.join(root, NPM_SETTINGS), npm.settings);
  if (npm.certificates !== null) cpSync(npm.certificates, path.join(root, CERTIFICATES));
}
