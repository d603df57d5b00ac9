import { z } from 'zod';
import { PRICE_CONVENTIONS, type PriceConvention } from '../../domain/odds.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import { smallFile } from '../adapters/small-file.ts';
import { proofPath, realName } from '../journal/account-paths.ts';

export const VERDICTS = ['as documented', 'differs', 'unknown'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** A fact as the file keeps it. */
export interface ProvenFact {
  readonly name: string;
  readonly verdict: Verdict;
  /** What was concluded, in short. */
  readonly why: string;
}

/** What `touchline prove` found out about the exchange. */
export interface Proof {
  /** When it was found out, wall-clock milliseconds. */
  readonly atMs: number;
  /** What `against` prices are; null if that is not known. */
  readonly convention: PriceConvention | null;
  /** Whether our resting orders against a selection show in its `for` offers, by how they are placed. False also if not known. */
  readonly visible: { readonly against: boolean; readonly lay: boolean };
  readonly facts: readonly ProvenFact[];
}

const VERSION = 1;
/** A small file holds one block. So long texts of all facts fit in it. */
const LONGEST_WHY = 120;

const schema = z.object({
  version: z.literal(VERSION),
  atMs: z.number(),
  convention: z.enum(PRICE_CONVENTIONS).nullable(),
  visible: z.object({ against: z.boolean(), lay: z.boolean() }),
  facts: z.array(z.object({ name: z.string(), verdict: z.enum(VERDICTS), why: z.string() })),
});

/** The file beside the journal at `path`, owned by the journal's owner; null for a journal in memory. */
export const proofBeside = (path: string): SmallFile | null =>
  path === '' ? null : smallFile(proofPath(path), realName(path));

/** Replaces the proof. Throws the disk's error. */
export function keepProof(file: SmallFile, { atMs, convention, visible, facts }: Proof): void {
  const short = facts.map(({ name, verdict, why }) => ({ name, verdict, why: plain(why) }));
  file.write(JSON.stringify({ version: VERSION, atMs, convention, visible, facts: short }));
}

/** One byte a character, so that the length in bytes is known. */
const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]|["\\]/g, "'").slice(0, LONGEST_WHY);

/** The last proof; null without one, or if it cannot be read or is of another version. */
export function lastProof(file: SmallFile | null): Proof | null {
  try {
    const text = file?.read() ?? null;
    return text === null ? null : withoutVersion(schema.parse(JSON.parse(text)));
  } catch {
    return null;
  }
}

const withoutVersion = ({ version: _, ...proof }: z.output<typeof schema>): Proof => proof;

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];

/** One line about the last proof and its age. */
export function proofLine(proof: Proof | null, nowMs: number): string {
  if (proof === null) return 'none: run "touchline prove"';
  const { convention, facts } = proof;
  const against =
    convention === null ? 'against prices unknown' : `against prices are ${wordsOf(convention)}`;
  const sides = ['against', 'lay'] as const;
  const shown = sides.filter((side) => isShown(proof, side) === true);
  const isUnknown = sides.some((side) => isShown(proof, side) === null);
  const none = isUnknown ? 'whether orders of ours show is unknown' : 'no order of ours shows';
  const orders = shown.length === 0 ? none : `${shown.join(' and ')} orders show`;
  const named = (verdict: Verdict): string => {
    const names = facts.filter((fact) => fact.verdict === verdict).map(({ name }) => name);
    return names.length === 0 ? '' : `; ${verdict}: ${names.join(', ')}`;
  };
  return `${ageOf(nowMs - proof.atMs)} old: ${against}, ${orders}${named('differs')}${named('unknown')}`;
}

/** Whether our resting orders of a side show in the `for` offers; null if that is not known. */
export function isShown({ visible, facts }: Proof, side: keyof Proof['visible']): boolean | null {
  if (visible[side]) return true;
  const verdict = facts.find(({ name }) => name === `${side}-visible`)?.verdict ?? 'unknown';
  return verdict === 'unknown' ? null : false;
}

export const wordsOf = (convention: PriceConvention): string =>
  convention === 'odds' ? 'odds' : 'lay prices';

function ageOf(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(0, Math.floor(ms / MINUTE_MS))} min`;
  return ms < 2 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} days`;
}
