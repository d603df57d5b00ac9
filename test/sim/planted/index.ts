import { AT_THE_BORDER } from './at-the-border.ts';
import { IN_ANSWERS } from './in-answers.ts';
import { IN_CLASSES } from './in-classes.ts';
import { IN_MONEY } from './in-money.ts';
import { IN_QUOTING } from './in-quoting.ts';
import { OF_THE_MARKET } from './of-the-market.ts';
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
