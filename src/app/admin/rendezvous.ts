/**
 * Commands find a daemon, and its tokens by the port of its admin interface. The daemon leaves a note under the port in a folder that only
 * its user can enter: the folder of its tokens, its address and its process. A command then needs no configuration, whose files may be broken when a kill is needed.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Tokens } from '../../ops/access.ts';
import { isRunning } from '../adapters/this-machine.ts';
import { writeTokens } from './tokens.ts';

const FOLDER_OF_OWNER = 0o700;
const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/** This user's folder of notes. Another user may have made it first: see `isOurs`. */
function notesFolder(): string {
  const base = process.env['XDG_RUNTIME_DIR'] ?? '';
  return join(base === '' ? tmpdir() : base, `touchline-${process.getuid?.() ?? 'user'}`);
}

const notePath = (port: number): string => join(notesFolder(), `admin-${port}`);

/**
 * Leaves the note that this process is the daemon at `url`, and that its tokens are in `folder`. Throws if this is not possible. Returns its
 * removal.
 */
export function noteDaemon(url: string, folder: string): () => void {
  ownFolder();
  const note = notePath(Number(new URL(url).port));
  rmSync(note, { force: true });
  writeFileSync(note, [folder, url, process.pid].join('\n'), { flag: 'wx', mode: OWNER_ALONE });
  return () => rmSync(note, { force: true });
}

/**
 * A folder for the tokens of a daemon at `port` that has no folder of its own. It outlives the daemon, so that its pages reach the next one at
 * the port. Throws if another user could enter it.
 */
export function runtimeTokens(port: number): string {
  ownFolder();
  return `${notePath(port)}.tokens`;
}

/** Keeps the tokens themselves beside the note, for a daemon that has no folder of its own. Returns their removal. */
export function leaveTokens(url: string, tokens: Tokens): () => void {
  const folder = runtimeTokens(Number(new URL(url).port));
  rmSync(folder, { recursive: true, force: true });
  writeTokens(folder, tokens);
  const remove = noteDaemon(url, folder);
  return () => {
    remove();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A daemon of this user that runs on this machine. */
export interface NotedDaemon {
  /** Address of its admin interface. */
  readonly url: string;
  /** The folder of its tokens. */
  readonly tokens: string;
}

/** The folder that holds the tokens of the daemon at `port`; null if there is no note that can be trusted. */
export const notedTokens = (port: number): string | null => noteAt(port)?.tokens ?? null;

/** The daemons of this user that run now, by their ports. */
export function notedDaemons(): readonly NotedDaemon[] {
  return portsNoted()
    .flatMap((port) => noteAt(port) ?? [])
    .filter(({ pid }) => Number.isInteger(pid) && pid > 0 && isRunning(pid))
    .map(({ url, tokens }) => ({ url, tokens }));
}

function portsNoted(): readonly number[] {
  try {
    const ports = readdirSync(notesFolder()).flatMap((name) => /^admin-(\d+)$/.exec(name)?.[1] ?? []);
    return ports.map(Number).toSorted((a, b) => a - b);
  } catch {
    return [];
  }
}

function noteAt(port: number): (NotedDaemon & { readonly pid: number }) | null {
  try {
    if (!isOurs(notesFolder())) return null;
    const [tokens = '', url = '', pid] = readFileSync(notePath(port), 'utf8').split('\n');
    return { tokens, url, pid: Number(pid) };
  } catch {
    return null;
  }
}

function ownFolder(): void {
  const folder = notesFolder();
  mkdirSync(folder, { recursive: true, mode: FOLDER_OF_OWNER });
  if (!isOurs(folder)) throw new Error(`${folder} is not this user’s alone: remove it`);
}

/** Whether no other user could have written a note. */
function isOurs(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  const isFolder = lstatSync(folder).isDirectory();
  const uidHere = process.getuid?.();
  return isFolder && (uidHere === undefined || (uid === uidHere && (mode & OTHERS) === 0));
}
