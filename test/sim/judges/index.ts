import { closesGoOn } from './closes.ts';
import { collar } from './collar.ts';
import { goesOnQuoting } from './quoting-continues.ts';
import type { MakeJudgement } from './judge.ts';
import { lossLimits } from './loss-limits.ts';
import { wokenInTime } from './missed-wakes.ts';
import { money } from './money.ts';
import { neverBetter } from './never-better.ts';
import { offers } from './offers.ts';
import { oneTrader } from './one-trader.ts';
import { otherOrders } from './changed-terms.ts';
import { othersKnown } from './foreign-orders-reported.ts';
import { ownWords } from './log.ts';
import { paths } from './paths.ts';
import { refusedKey } from './refused-key.ts';
import { reservesAreKept } from './reserves.ts';
import { roomForOthers } from './room-for-others.ts';
import { syncedFirst } from './sync-before-orders.ts';
import { widerLimits } from './wider-limits.ts';

/** All that is judged besides what `invariants.ts`, the gates and the duties judge. */
export const JUDGEMENTS: readonly MakeJudgement[] = [
  ownWords,
  goesOnQuoting,
  widerLimits,
  money,
  neverBetter,
  lossLimits,
  offers,
  collar,
  otherOrders,
  othersKnown,
  closesGoOn,
  reservesAreKept,
  refusedKey,
  roomForOthers,
  syncedFirst,
  oneTrader,
  paths,
  wokenInTime,
];
