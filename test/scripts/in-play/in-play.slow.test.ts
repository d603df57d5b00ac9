import { expect, it } from 'vitest';
import { STRATEGIES } from '../../../scripts/in-play/daemon.ts';
import { KINDS } from '../../../scripts/in-play/losses.ts';
import { playMatch } from '../../../scripts/in-play/match.ts';
import { isSame, type PairedMatch, scoresOf, tableOf } from '../../../scripts/in-play/table.ts';
import { patient } from '../../support/patience.ts';

/** A match with goals and a red card, and one in which a goal is annulled. */
const SEEDS = [4, 18];

it(
  'every order in play asserts the score of the view that decided it, in the same match with guards and without',
  { timeout: patient(400_000) },
  async () => {
    const matches: PairedMatch[] = [];
    for (const [number, strategy] of Object.keys(STRATEGIES).slice(0, SEEDS.length).entries()) {
      const choice = { strategy, seed: SEEDS[number] as number };
      const guarded = await playMatch({ ...choice, isGuarded: true });
      const unguarded = await playMatch({ ...choice, isGuarded: false });
      matches.push({ number, strategy, guarded, unguarded });
    }
    const { checked, different } = scoresOf(matches);
    expect(checked).toBeGreaterThan(400);
    expect(different).toBe(0);
    const happened = matches.flatMap(({ guarded }) => guarded.losses);
    expect(new Set(happened.map(({ kind }) => kind))).toEqual(new Set(KINDS));
    expect(happened.filter(({ isQuoted }) => isQuoted).length).toBeGreaterThan(2);
    expect(matches.filter(isSame)).toHaveLength(SEEDS.length);
    expect(tableOf(matches, 1)).toHaveLength(2 + (SEEDS.length + 1) * KINDS.length);
  },
);
