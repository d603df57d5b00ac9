import { flawsIn } from '../../strategy/loader.ts';
import { type LoadedConfig, reworded } from './load.ts';

/** An error of what a plugin checks, a line for each flaw, with who set it; any other error as it is, with the table. */
export function flawsReworded(error: unknown, table: string, words: LoadedConfig['complaint']): unknown {
  const lines = flawsIn(error).map(({ path, message }) => words(table, message, `${table}.${path}`));
  return reworded(error, (message) => (lines.length === 0 ? words(table, message) : lines.join('\n')));
}
