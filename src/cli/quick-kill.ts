import process from 'node:process';
import { parseArgs } from 'node:util';
import { quickAdminUrl } from '../app/admin/admin-address.ts';
import type { ConfigSources } from '../app/config/load.ts';
import { kill } from '../app/operate/kill.ts';
import { killInWords } from '../app/operate/kill-report.ts';
import type { Seeking } from '../app/operate/daemon.ts';
import { EXIT } from '../app/run/exit-codes.ts';
import { configToReach, seekingOf } from './input/seeking.ts';
import { complain } from './output/complain.ts';

/**
 * `touchline kill` without the other commands and without the whole configuration, which take a second to load. Everything unusual,
 * such as `--help` or a fault in the arguments, is left to the full command.
 */

/** A kill that can be sent at once. */
interface QuickKill {
  readonly reason: string;
  readonly url: string;
  /** The address that the person gave, if any. */
  readonly given: string | undefined;
  readonly tokenFile: string | null;
  readonly sources: ConfigSources;
  readonly seeks: Seeking;
}

/** Kills as these arguments of `touchline kill` say. Resolves to the exit code; null if the full command must decide. Never rejects. */
export async function quickKill(args: readonly string[]): Promise<number | null> {
  const wish = await wishOf(args);
  if (wish === null) return null;
  try {
    const config = () => configToReach({ url: wish.given }, () => loaded(wish.sources));
    const report = await kill({ ...wish, config }, wish.reason);
    process.stdout.write(`${killInWords(report)}\n`);
    return report.openOrders === 0 && report.latchedIn !== null ? EXIT.ok : EXIT.failure;
  } catch (error) {
    return complain(error);
  }
}

const loaded = async (sources: ConfigSources) =>
  (await import('../app/config/load.ts')).loadConfig(sources).values;

const OPTIONS = {
  reason: { type: 'string' },
  url: { type: 'string' },
  'token-file': { type: 'string' },
  config: { type: 'string', short: 'c', multiple: true },
  set: { type: 'string', short: 's', multiple: true },
} as const;

async function wishOf(args: readonly string[]): Promise<QuickKill | null> {
  const given = optionsIn(args);
  const settings = given === null ? null : settingsIn(given.set ?? []);
  const { reason = 'no reason given' } = given ?? {};
  if (given === null || settings === null || reason.trim() === '') return null;
  const sources = { files: given.config ?? [], environment: process.env, settings };
  const url = given.url === undefined ? await quickAdminUrl(sources) : addressIn(given.url);
  const seeks = seekingOf(given, process.env);
  const tokenFile = given['token-file'] ?? null;
  return url === null ? null : { reason, url, given: given.url, tokenFile, sources, seeks };
}

function optionsIn(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch {
    return null;
  }
}

/** `key=value` flags; null if one has another form. */
function settingsIn(flags: readonly string[]): Readonly<Record<string, string>> | null {
  if (flags.some((flag) => flag.indexOf('=') < 1)) return null;
  return Object.fromEntries(
    flags.map((flag) => [flag.slice(0, flag.indexOf('=')), flag.slice(flag.indexOf('=') + 1)]),
  );
}

const addressIn = (text: string): string | null =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol) ? text : null;
