import { fileURLToPath } from 'node:url';

/** Absolute path of a configuration that ships with Touchline. */
export function bundledConfig(name: 'simulated' | 'recorded'): string {
  return fileURLToPath(new URL(`../../config/${name}.toml`, import.meta.url));
}

/** Address of the folder of bundled strategies. */
export const STRATEGIES_URL = new URL('../../strategies/', import.meta.url);
