import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { invariant } from '../../lib/assert.ts';

/** Whether Touchline runs from its sources, as in a clone. An installed package holds compiled code in `lib`. */
const RUNS_FROM_SOURCE = import.meta.url.endsWith('.ts');

const manifest = findPackageJSON(import.meta.url);
invariant(manifest !== undefined, 'a clone and a package have a package.json at their root');

/** Root folder of the clone or of the installed package. */
const ROOT = new URL('./', pathToFileURL(manifest));

/** Absolute path of that folder. */
export const ROOT_FOLDER = fileURLToPath(ROOT);

/** Touchline's version. */
export const VERSION = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;

/** Absolute path of a configuration that ships with Touchline. */
export const bundledConfig = (name: 'simulated' | 'recorded'): string =>
  fileURLToPath(new URL(`config/${name}.toml`, ROOT));

/** Address of a bundled strategy's module. */
export const bundledStrategyUrl = (name: string): string =>
  new URL(RUNS_FROM_SOURCE ? `strategies/${name}.ts` : `lib/strategies/${name}.js`, ROOT).href;

/** Address of a bundled price source's module. */
export const bundledPriceSourceUrl = (name: string): string => bundledStrategyUrl(`price-sources/${name}`);

/** Where a clone keeps what it builds on first use. */
const BUILT = 'node_modules/.cache/touchline/';

/**
 * Absolute path of a built page or script. The package holds it; a clone builds it there, in the folder that `version` names for the
 * text of its sources.
 */
export const builtPage = (name: string, version: () => string): string =>
  fileURLToPath(new URL(RUNS_FROM_SOURCE ? `${BUILT}${version()}/${name}` : `lib/${name}`, ROOT));

/** Address of the program of a thread, by its path in a clone. The package holds it under its file name. */
export const threadProgram = (source: `src/${string}.ts`): URL =>
  new URL(RUNS_FROM_SOURCE ? source : `lib/${basename(source, '.ts')}.js`, ROOT);
