import { cwd } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Absolute path of a configuration that ships with Touchline. */
export function bundledConfig(name: 'simulated' | 'recorded'): string {
  return fileURLToPath(new URL(`../../../config/${name}.toml`, import.meta.url));
}

/** Address of the folder of bundled strategies. */
export const STRATEGIES_URL = new URL('../../../strategies/', import.meta.url).href;

/** What relative paths of plugins start from. */
export const WORKING_DIRECTORY_URL = pathToFileURL(`${cwd()}/`).href;
