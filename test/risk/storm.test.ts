import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.ts';
import { codesOf } from './support/harness.ts';
import { SHARE } from './support/share.ts';
import { Storm, TIGHT, compareOpinions } from './support/storm.ts';

describe('a storm of intents, answers, fills and lookups', () => {
  it('agrees with a second, naive opinion after every step', () => {
    expect(compareOpinions(1_500 * SHARE, (life) => seededRandom(life, 'opinions'))).toEqual([]);
  });

  it('never passes the limit of an event or of the account', () => {
    let closest = 0;
    for (let life = 0; life < 6 * SHARE; life++) {
      const storm = new Storm(seededRandom(life, 'limits'));
      for (let step = 0; step < 300; step++) {
        storm.step();
        const worsts = storm.events().map((id) => storm.worstOf(id));
        const account = worsts.reduce((total, worst) => total + worst, 0);
        closest = Math.min(closest, account);
        expect(Math.min(...worsts)).toBeGreaterThanOrEqual(-TIGHT.worstCase.eventUsdt * 1e6);
        expect(account).toBeGreaterThanOrEqual(-TIGHT.worstCase.accountUsdt * 1e6);
      }
    }
    // The storm is no proof unless it presses against the limit.
    if (SHARE === 1) expect(closest).toBeLessThan(-TIGHT.worstCase.accountUsdt * 0.95e6);
  });

  it('never refuses for exposure what makes the worst case better, and is not the worse for it', () => {
    const exposureCode = /worst_case|gross|turnover|balance/;
    let [helped, refused] = [0, 0];
    for (let life = 0; life < 6 * SHARE; life++) {
      const storm = new Storm(seededRandom(life, 'helping'));
      for (let step = 0; step < 150; step++) {
        storm.step();
        const { order, helps, before } = storm.probe();
        const codes = codesOf(storm.world.risk, order).filter((code) => exposureCode.test(code));
        const worst = storm.world.risk.exposure().account.worstMicros;
        storm.world.risk.release(order.requestUuid);
        if (helps) expect([codes, worst]).toEqual([[], before]);
        if (helps) helped++;
        if (codes.length > 0) refused++;
      }
    }
    // The storm is no proof unless it offers both kinds.
    if (SHARE === 1) expect([helped > 50, refused > 50]).toEqual([true, true]);
  });
});
