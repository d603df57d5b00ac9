import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { integerBetween, type Random } from '../../src/lib/random.ts';
import { pathIn, type Target, TARGETS } from './specimen.ts';

export const WAYS = ['flip', 'truncate', 'delete'] as const;
export type Way = (typeof WAYS)[number];

/** Damages one file of a journal. Returns a description of the damage. */
export function damage(folder: string, target: Target, way: Way, random: Random): string {
  const file = `${pathIn(folder)}${TARGETS[target]}`;
  if (!existsSync(file)) throw new Error(`there is no ${target} to damage`);
  if (way === 'delete') return (rmSync(file), 'deleted');
  const content = readFileSync(file);
  const at = integerBetween(random, 0, content.length - 1);
  if (way === 'truncate') return (truncateSync(file, at), `cut to ${at} of ${content.length} bytes`);
  const bits = integerBetween(random, 1, 255);
  content[at] = (content[at] ?? 0) ^ bits;
  writeFileSync(file, content);
  return `byte ${at} of ${content.length} changed by ${bits}`;
}
