import { closesGoOn } from './closes.ts';
import { collar } from './collar.ts';
import { goesOnQuoting } from './goes-on-quoting.ts';
import type { MakeJudgement } from './judge.ts';
import { lossLimits } from './loss-limits.ts';
import { money } from './money.ts';
import { neverBetter } from './never-better.ts';
import { offers } from './offers.ts';
import { oneTrader } from './one-trader.ts';
import { otherOrders } from './other-orders.ts';
import { othersKnown } from './others-known.ts';
import { ownWords } from './own-words.ts';
import { paths } from './paths.ts';
import { refusedKey } from './refused-key.ts';
import { reservesAreKept } from './reserves.ts';
import { roomForOthers } from './room-for-others.ts';
import { syncedFirst } from './synced-first.ts';
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
];
