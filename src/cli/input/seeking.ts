import process from 'node:process';
import type { Seeking } from '../../app/operate/daemon.ts';

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
  return { isNamed: isByOption || isByEnvironment, tell };
}
