import { certificateOf } from '../admin/certificate.ts';
import { checkTokens, configuredTokens } from '../admin/tokens.ts';
import type { Config } from '../config/load.ts';
import { checkOwnPlaces } from './own-places.ts';

/** What a start demands of the files that it will use, before it opens any. The doctor reports each check, a start throws the first fault. */
export interface StartCheck {
  readonly name: string;
  readonly advice: string;
  /** Describes what it found. Makes and changes nothing. Throws ConfigError. */
  readonly check: (config: Pick<Config, 'admin' | 'journal'>) => string;
}

export const START_CHECKS: readonly StartCheck[] = [
  {
    name: 'places',
    advice: 'a start ends with exit code 78 until then',
    check: (config) => {
      checkOwnPlaces(config);
      return 'nobody else can change what a run keeps on disk';
    },
  },
  {
    name: 'tokens',
    advice: 'a start ends with exit code 78 until then',
    check: (config) => {
      const folder = configuredTokens(config);
      if (folder !== null) checkTokens(folder);
      const secured = certificateOf(config) === null ? '' : ', and a certificate';
      return `${folder ?? 'made for each run, since the journal is in memory'}${secured}`;
    },
  },
];

/** Throws ConfigError with the first fault. */
export function checkStart(config: Pick<Config, 'admin' | 'journal'>): void {
  for (const { check } of START_CHECKS) check(config);
}
