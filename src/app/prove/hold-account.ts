import { resolve } from 'node:path';
import { TouchlineError, TransportError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Config } from '../config/load.ts';
import { holdForCommand } from '../journal/open-journal.ts';
import { reach } from '../operate/daemon.ts';

/**
 * Holds the account, so that no daemon trades it meanwhile. Throws TouchlineError `locked` if one does. A daemon whose journal is in
 * memory is found by its admin interface.
 */
export async function holdAccount(config: Config, clock: Clock): Promise<() => void> {
  const { path } = config.journal;
  if (path !== '') {
    const lock = holdForCommand(resolve(path), clock);
    return () => lock.release();
  }
  const { client, url } = await reach({ config: () => config, url: null });
  try {
    await client.get({ path: '/status', shape: (body): body is unknown => body !== undefined });
  } catch (error) {
    if (error instanceof TransportError) return () => undefined;
  }
  throw new TouchlineError('locked', `a daemon answers at ${url}: stop that one first`);
}
