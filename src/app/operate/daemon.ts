import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { ConfigError, TouchlineError, TransportError } from '../../domain/errors.ts';
import { isLoopback, urlOf } from '../../ops/addresses.ts';
import { type AdminClient, adminClient, type NamedBy } from '../adapters/admin-client.ts';
import { isListening } from '../adapters/listening.ts';
import { type NotedDaemon, notedDaemons, notedTokens } from '../admin/rendezvous.ts';
import { configuredTokens, readToken, strongestToken } from '../admin/tokens.ts';
import type { Config } from '../config/load.ts';

/** Finds the only daemon of this user that runs, if none answers at the address. */
export interface Seeking {
  /** Whether the command names a daemon. Then only a port of 0, which is any, makes it look further. */
  readonly isNamed: boolean;
  /** By which options it names one, for advice. Default: by none. */
  readonly named?: NamedBy;
  /** Gets a line that says which daemon was found. */
  readonly tell: (line: string) => void;
}

/** Options with which a command reaches a daemon. This file loads fast, because a kill must not wait. */
export interface Operation {
  /**
   * Reads the configuration; throws ConfigError. Not called if the daemon's address and token are known without it: a mistake in a
   * file that is being edited must not prevent a kill.
   */
  readonly config: () => Config | Promise<Config>;
  /** Address of the daemon's admin interface; null: the configured one. */
  readonly url: string | null;
  /** Lets the command find a daemon by its note. Default: it asks at the address alone. */
  readonly seeks?: Seeking;
  /** File that holds the token to use. Default: the command looks for one. */
  readonly tokenFile?: string | null;
}

const ANSWER_WITHIN_MS = 3_000;

/**
 * A client of the daemon, and its address. A command that names no daemon gets the only one that runs, if none answers at the usual
 * address. Rejects with ConfigError if the address is not known and the configuration is invalid, and with TouchlineError
 * `usage` if several daemons run and none is named.
 */
export async function reach(
  operation: Operation,
): Promise<{ readonly client: AdminClient; readonly url: string }> {
  const url = await addressOf(operation);
  const tokens = () => tokensFor(url, operation);
  const named = operation.seeks?.named;
  const client = adminClient({ url, timeoutMs: ANSWER_WITHIN_MS, tokens, ...(named && { named }) });
  return { client: sayingWhoIsThere(client, url, operation), url };
}

async function addressOf(operation: Operation): Promise<string> {
  const url = operation.url ?? adminUrlOf(await operation.config());
  const { seeks } = operation;
  if (seeks === undefined || !URL.canParse(url)) return url;
  const isAnyPort = new URL(url).port === '0';
  if ((seeks.isNamed && !isAnyPort) || (await isListening(url))) return url;
  const found = isAnyPort ? await daemonsOf(operation) : notedDaemons();
  const [only, ...others] = found;
  if (only === undefined) return url;
  if (others.length > 0) {
    const urls = found.map((each) => each.url).join(' and ');
    throw new TouchlineError(
      'usage',
      `no daemon answers at ${url}, and several run: name one with --url: ${urls}`,
    );
  }
  seeks.tell(`no daemon answers at ${url}; this is the one at ${only.url}`);
  return only.url;
}

/** A configuration whose port is any has the daemons with its tokens; without tokens of its own, all. */
async function daemonsOf({ config }: Operation): Promise<readonly NotedDaemon[]> {
  const folder = configuredTokens(await config());
  return notedDaemons().filter(({ tokens }) => folder === null || resolve(tokens) === resolve(folder));
}

/** A client whose errors name the process that holds the journal, if nobody answers. */
function sayingWhoIsThere(client: AdminClient, url: string, { config }: Operation): AdminClient {
  const asking = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      // Takes long to load, and is not needed where a daemon answers.
      const { namingHolder } = await import('./holder.ts');
      throw await namingHolder(error, { url, config });
    }
  };
  return {
    get: (question) => asking(client.get(question)),
    post: (question, body) => asking(client.post(question, body)),
    remove: (question) => asking(client.remove(question)),
  };
}

/** The client alone. */
export const clientOf = async (operation: Operation): Promise<AdminClient> => (await reach(operation)).client;

const adminUrlOf = ({ admin: { host, port, certFile } }: Config): string =>
  urlOf(certFile === '' ? 'http' : 'https', { host, port });

/** Tokens to try, in order: the named one, or else the one that the daemon left a note of, then that of the configuration. */
async function* tokensFor(url: string, { config, tokenFile = null }: Operation): AsyncGenerator<string> {
  if (tokenFile !== null) {
    const token = readToken(tokenFile);
    if (token === null) throw new ConfigError(`--token-file ${tokenFile}: cannot be read`, { tokenFile });
    yield token;
    return;
  }
  const at = URL.canParse(url) ? new URL(url) : null;
  const noted = at !== null && isLoopback(at.hostname) ? notedTokens(Number(at.port)) : null;
  const first = noted === null ? null : strongestToken(noted);
  if (first !== null) yield first;
  const folder = configuredTokens(await config());
  const second = folder === null ? null : strongestToken(folder);
  if (second !== null) yield second;
}

const LONGEST_NAME = 100;

/** The person at the keyboard, for the record. */
export const operator = (): string => `${userName()} (pid ${process.pid})`.slice(0, LONGEST_NAME);

/** The user of a container may have no name, and asking for it then throws. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
