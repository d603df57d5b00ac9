import process from 'node:process';
import type { Seeking } from '../../app/operate/daemon.ts';
import { ConfigError } from '../../domain/errors.ts';

/** Settings by which the environment names a daemon. */
const NAMING = ['TOUCHLINE_ADMIN_PORT', 'TOUCHLINE_JOURNAL'] as const;

/** What a command may name a daemon by: its address, or a configuration. */
export interface Naming {
  readonly url?: string | undefined;
  readonly config?: unknown;
  readonly set?: unknown;
}

/** Lets a command find the only daemon that runs. It says on stderr which one that is. */
export function seekingOf({ url, config, set }: Naming, environment: NodeJS.ProcessEnv): Seeking {
  const isByOption = [url, config, set].some((given) => given !== undefined);
  const isByEnvironment = NAMING.some((key) => (environment[key] ?? '') !== '');
  const tell = (line: string): void => void process.stderr.write(`touchline: ${line}\n`);
  const named = { config: config !== undefined, url: url !== undefined };
  return { isNamed: isByOption || isByEnvironment, named, tell };
}

const WITHOUT_IT = 'with --url ADDRESS this command reaches a running daemon without the configuration';

/** Loads the configuration in which the daemon's address stands. Rejects with ConfigError, which says how to do without it. */
export async function configToReach<T>({ url }: Naming, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof ConfigError) || url !== undefined) throw error;
    throw new ConfigError(`${error.message}\n${WITHOUT_IT}`, error.details);
  }
}
