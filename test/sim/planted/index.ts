import { AT_THE_BORDER } from './border-mistakes.ts';
import { IN_ANSWERS } from './lasting-fault-mistakes.ts';
import { IN_CLASSES } from './class-mistakes.ts';
import { IN_MONEY } from './money-mistakes.ts';
import { IN_QUOTING } from './quoting-mistakes.ts';
import { OF_THE_MARKET } from './market-mistakes.ts';
import type { Planted } from './planted.ts';

/** Every planted mistake. */
export const PLANTED: readonly Planted[] = [
  ...AT_THE_BORDER,
  ...IN_CLASSES,
  ...IN_QUOTING,
  ...IN_MONEY,
  ...OF_THE_MARKET,
  ...IN_ANSWERS,
];
