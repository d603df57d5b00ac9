import { afterAll, expect, it } from 'vitest';
import { judge } from '../../../scripts/worlds/judge.ts';
import { runOnOneClock } from '../../../scripts/worlds/one-clock.ts';
import { temporaryFolder } from '../../support/exchange.ts';
import { patient } from '../../support/patience.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

it(
  'two worlds of one seed have fills that can be compared, and every difference has a cause',
  { timeout: patient(300_000) },
  async () => {
    const options = {
      hours: 0.1,
      seed: 7,
      recorded: null,
      convention: 'lay',
      halfSpread: null,
      folder: folder.path,
    } as const;
    const { live, models } = judge(await runOnOneClock(options), 7);
    expect(live.fills).toBeGreaterThan(10);
    expect(models.map(({ model }) => model)).toEqual(['touch', 'queue', 'through']);
    for (const { model, fills, recall, precision, missed, extra } of models) {
      expect(fills).toBeGreaterThan(0);
      expect(Object.keys({ ...missed, ...extra })).not.toContain('other');
      if (model !== 'queue') continue;
      // So few fills say little: a paper run that is blind, or that fills whatever rests, is far below.
      expect(recall.value).toBeGreaterThan(0.5);
      expect(precision.value).toBeGreaterThan(0.4);
    }
  },
);
