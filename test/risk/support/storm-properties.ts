import type { Random } from '../../../src/lib/random.ts';
import { codesOf } from './harness.ts';
import { Storm, TIGHT } from './storm.ts';

const EXPOSURE_CODE = /worst_case|gross|turnover|balance/;
const MICROS = 1e6;

/** The closest approach to the limits over many lives, and how often a limit was exceeded. */
export interface Pressure {
  readonly steps: number;
  readonly passed: number;
  /** The account’s worst case at its lowest, in USDT. */
  readonly closestUsdt: number;
}

/** Runs storms, and checks the limits of each event and of the account after every step. */
export function pressLimits(lives: number, randomOf: (life: number) => Random): Pressure {
  let [steps, passed, closest] = [0, 0, 0];
  for (let life = 0; life < lives; life++) {
    const storm = new Storm(randomOf(life));
    for (let step = 0; step < 300; step++, steps++) {
      storm.step();
      const worsts = storm.events().map((id) => storm.worstOf(id));
      const account = worsts.reduce((total, worst) => total + worst, 0);
      closest = Math.min(closest, account);
      const isPassed =
        Math.min(...worsts) < -TIGHT.worstCase.eventUsdt * MICROS ||
        account < -TIGHT.worstCase.accountUsdt * MICROS;
      if (isPassed) passed++;
    }
  }
  return { steps, passed, closestUsdt: closest / MICROS };
}

export interface Offers {
  /** Orders that improved the worst case, and how many of them were refused for exposure or worsened it. */
  readonly helping: number;
  readonly wronged: number;
  /** Other orders that were refused for exposure. */
  readonly refused: number;
}

/** Offers one more order after every step, and records the outcome of those that help. */
export function offerOrders(lives: number, randomOf: (life: number) => Random): Offers {
  let [helping, wronged, refused] = [0, 0, 0];
  for (let life = 0; life < lives; life++) {
    const storm = new Storm(randomOf(life));
    // Few orders certainly help while lookups are pending.
    if (life % 2 === 0) storm.learnAll();
    for (let step = 0; step < 150; step++) {
      storm.step();
      const { order, helps, before } = storm.probe();
      const isRefused = codesOf(storm.world.risk, order).some((code) => EXPOSURE_CODE.test(code));
      const worst = storm.world.risk.exposure().account.worstMicros;
      storm.world.risk.release(order.requestUuid);
      if (helps) helping++;
      if (helps && (isRefused || worst !== before)) wronged++;
      if (!helps && isRefused) refused++;
    }
  }
  return { helping, wronged, refused };
}
